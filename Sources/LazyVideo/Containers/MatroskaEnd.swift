internal import LazyMedia

/// Where a Matroska file ends.
enum MatroskaEnd {
    /// Whether the file ends before its segment says that it does.
    static func isMissed(
        by bytes: any ByteSource, _ opening: OpeningTime
    ) throws(MediaError) -> Bool {
        guard let segment = try MatroskaSegment(bytes) else { return false }
        guard let length = segment.size else { return try isWithinElement(bytes, opening) }
        return length > UInt64(max(0, bytes.count - segment.content))
    }

    /// Whether the elements at the end lead beyond it, where the segment does not say how large it is.
    ///
    /// Walks from the first cluster near the end whose elements follow each other; what is recorded live has small ones.
    private static func isWithinElement(
        _ bytes: any ByteSource, _ opening: OpeningTime
    ) throws(MediaError) -> Bool {
        guard !bytes.isRemote else { return false }
        for size in [1 << 18, 1 << 20, 6 << 20] {
            let tail = try bytes.bytes(min(size, bytes.count), at: max(0, bytes.count - size))
            var place = 0
            while let cluster = tail.nextCluster(from: place) {
                place = cluster
                if let isCut = isCut(from: &place, in: tail.span.bytes) { return isCut }
                // What was walked is not walked again.
                place = max(place, cluster + 1)
            }
            if size >= bytes.count { break }
            try opening.check()
        }
        return false
    }

    /// Whether the elements from a place on lead beyond the end; nil where the place gets to what is none.
    private static func isCut(from place: inout Int, in bytes: RawSpan) -> Bool? {
        typealias Name = MatroskaClusters.Name
        while place < bytes.byteCount {
            guard let name = bytes.ebmlNumber(at: place) else {
                return bytes.byteCount - place < 4 ? true : nil
            }
            let isKnown = Name.inside.contains(name.marked) || Name.passed.contains(name.marked)
            guard isKnown || Name.outer.contains(name.marked) else { return nil }
            guard let size = bytes.ebmlNumber(at: place + name.count) else {
                return bytes.byteCount - place - name.count < 8 ? true : nil
            }
            place += name.count + size.count
            if size.isUnknown {
                guard Name.outer.contains(name.marked) else { return nil }
            } else {
                guard size.value <= UInt64(bytes.byteCount - place) else { return true }
                place += Int(size.value)
            }
        }
        return false
    }
}
