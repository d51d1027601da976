internal import LazyMedia

/// The files of which a Matroska file consists, one behind the other, and whether they can be read as one.
///
/// FFmpeg reads a second segment with the header of the first, whatever its codec is, and nothing of a third.
struct MatroskaParts {
    /// Where the first file ends.
    let end: Int
    /// The clusters of the other files; nil where their tracks are others, so that they cannot be read with the first header.
    let clusters: [Range<Int>]?
    /// The place of the size of the first segment.
    let size: Range<Int>

    /// Goes through the elements of the files behind the first by their sizes, about a microsecond each; nil where there is none,
    /// or where the first does not say how large it is, so that FFmpeg reads on by itself.
    init?(_ bytes: any ByteSource, _ limits: DecodingLimits) throws(MediaError) {
        guard !bytes.isRemote, !bytes.isPartial, let first = try MatroskaSegment(bytes),
            let end = first.end, try MatroskaSegment.begins(bytes, at: end)
        else { return nil }
        (self.end, size) = (end, first.sizePlace)
        var walk = MatroskaClusters(bytes, CancellationFlag())
        let (opening, tracks) = (limits.opening, try walk.header(from: first.content, to: end))
        var (place, clusters): (Int, [Range<Int>]) = (end, [])
        while try MatroskaSegment.begins(bytes, at: place) {
            try opening.check()
            let file = ByteSlice(bytes, place..<bytes.count)
            guard let segment = try MatroskaSegment(file) else { break }
            let content = place + segment.content
            let stop =
                segment.end.map { place.addingReportingOverflow($0) }
                .flatMap { $0.overflow ? nil : min($0.partialValue, bytes.count) } ?? bytes.count
            guard let tracks, try walk.header(from: content, to: stop) == tracks else {
                self.clusters = nil
                return
            }
            place = content
            var count = 0
            while place < stop {
                guard let element = try walk.element(at: place) else {
                    // What has no size, or is cut, reaches the end.
                    clusters.append(place..<stop)
                    place = stop
                    break
                }
                if element.name == MatroskaClusters.Name.cluster {
                    if clusters.last?.upperBound == place {
                        clusters[clusters.count - 1] =
                            clusters[clusters.count - 1].lowerBound..<element.content.upperBound
                    } else {
                        clusters.append(place..<element.content.upperBound)
                    }
                }
                place = element.content.upperBound
                count += 1
                if count & 0xFFF == 0 { try opening.check() }
            }
            try limits.check(entries: clusters.count)
        }
        self.clusters = clusters
    }
}

extension MatroskaClusters {
    /// What has to be equal so that clusters can be read with another header: the length of a tick, and of each track its number,
    /// its kind, its codec and the codec's own header.
    struct Header: Equatable {
        var scale = 1_000_000
        var tracks: [[UInt64: [UInt8]]] = []
    }

    /// Reads elements up to the first cluster; nil where there are no tracks before it.
    fileprivate mutating func header(from start: Int, to end: Int) throws(MediaError) -> Header? {
        var (header, place) = (Header(), start)
        while place < end, let element = try element(at: place), element.name != Name.cluster {
            if element.name == Name.info {
                header.scale = try scale(in: element.content)
            } else if element.name == Name.tracks {
                header.tracks = try tracks(in: element.content)
            }
            place = element.content.upperBound
        }
        return header.tracks.isEmpty ? nil : header
    }

    private func tracks(in content: Range<Int>) throws(MediaError) -> [[UInt64: [UInt8]]] {
        var tracks: [[UInt64: [UInt8]]] = []
        try each(in: content) { (entry) throws(MediaError) in
            guard entry.name == Name.track else { return }
            var track: [UInt64: [UInt8]] = [:]
            try each(in: entry.content) { (element) throws(MediaError) in
                guard Name.identifying.contains(element.name) else { return }
                let length = min(element.content.count, 1 << 16)
                track[element.name] = try Array(heads.bytes(length, at: element.content.lowerBound))
            }
            tracks.append(track)
        }
        return tracks
    }
}
