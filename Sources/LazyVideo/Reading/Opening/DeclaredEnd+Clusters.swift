internal import LazyMedia

extension DeclaredEnd {
    /// Whether the elements at the end of a Matroska file lead beyond it, where its segment does not say how large it is.
    ///
    /// Walks from the first cluster near the end whose elements follow each other; what is recorded live has small ones.
    func endsWithinElement() throws(MediaError) -> Bool {
        guard !bytes.isRemote else { return false }
        for size in [1 << 18, 1 << 20, 6 << 20] {
            let tail = try bytes.bytes(min(size, bytes.count), at: max(0, bytes.count - size))
            var place = 0
            while let cluster = tail.nextCluster(from: place) {
                if let isMissed = Self.isMissed(from: cluster, in: tail.span.bytes) {
                    return isMissed
                }
                place = cluster + 1
            }
            if size >= bytes.count { break }
            try opening.check()
        }
        return false
    }

    /// Whether the elements from a place on lead beyond the end; nil where they are none.
    private static func isMissed(from start: Int, in bytes: RawSpan) -> Bool? {
        typealias Name = MatroskaClusters.Name
        var place = start
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
