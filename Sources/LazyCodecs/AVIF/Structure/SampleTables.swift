internal import LazyMedia

/// The sample tables of a track, joined from several files (ISO/IEC 14496-12, 8.7).
struct SampleTables {
    private var sizes: [UInt32] = []
    private var chunks: [(offset: Int, samples: Int)] = []
    /// The sync samples, numbered from 1.
    private var keys: [UInt32] = []

    /// The `stbl` box of a track.
    static func list(_ movie: [UInt8], _ track: ISOBox) -> ISOBox? {
        track.child("mdia", "minf", "stbl", in: movie)
    }

    /// Appends the samples of a file's track, moved by a distance.
    mutating func append(
        _ movie: [UInt8], _ track: ISOBox, moving distance: Int
    ) throws(MediaError) {
        guard let list = Self.list(movie, track), let sizes = list.child("stsz", in: movie),
            let groups = list.child("stsc", in: movie), let offsets = list.child("stco", in: movie)
        else { throw .unreadableMovie }
        let before = self.sizes.count
        let added = try Self.sizes(movie, sizes)
        let starts = try Self.entries(movie, offsets, from: 4, width: 4)
        self.sizes += added
        try appendChunks(movie, groups, starts.map { Int(movie.bigEndian32(at: $0)) + distance })
        guard chunks.reduce(0, { $0 + $1.samples }) == self.sizes.count else {
            throw .unreadableMovie
        }
        if let box = list.child("stss", in: movie) {
            keys += try Self.entries(movie, box, from: 4, width: 4).map {
                UInt32(before) + movie.bigEndian32(at: $0)
            }
        } else {
            keys += added.indices.map { UInt32(before + $0 + 1) }
        }
    }

    /// The `stbl` box with the joined tables; offsets count from `start`.
    func box(_ movie: [UInt8], _ list: ISOBox, start: Int) -> [UInt8] {
        var content: [UInt8] = []
        for box in list.children(movie) {
            switch box.kind {
            case ISOBox.kind("stts"):
                let run =
                    UInt32(1).bigEndianBytes + sizes.count.bigEndianBytes32
                    + UInt32(1).bigEndianBytes
                content += ISOBox.makeFull("stts", version: 0, run)
            case ISOBox.kind("stsz"):
                content += ISOBox.makeFull(
                    "stsz", version: 0,
                    UInt32(0).bigEndianBytes + sizes.count.bigEndianBytes32
                        + sizes.flatMap(\.bigEndianBytes))
            case ISOBox.kind("stsc"): content += groups
            case ISOBox.kind("stco"):
                content += ISOBox.makeFull(
                    "stco", version: 0,
                    chunks.count.bigEndianBytes32
                        + chunks.flatMap { ($0.offset + start).bigEndianBytes32 })
            case ISOBox.kind("stss"): break
            default: content += movie[box.range]
            }
        }
        // Without this box every sample is a sync sample.
        if keys.count < sizes.count {
            content += ISOBox.makeFull(
                "stss", version: 0, keys.count.bigEndianBytes32 + keys.flatMap(\.bigEndianBytes))
        }
        return ISOBox.make("stbl", content)
    }

    /// The samples per chunk: runs of equal ones, by their first chunk, numbered from 1.
    private var groups: [UInt8] {
        var runs: [(chunk: Int, samples: Int)] = []
        for (index, chunk) in chunks.enumerated() where runs.last?.samples != chunk.samples {
            runs.append((index + 1, chunk.samples))
        }
        return ISOBox.makeFull(
            "stsc", version: 0,
            runs.count.bigEndianBytes32
                + runs.flatMap {
                    $0.chunk.bigEndianBytes32 + $0.samples.bigEndianBytes32
                        + UInt32(1).bigEndianBytes
                })
    }

    private mutating func appendChunks(
        _ movie: [UInt8], _ groups: ISOBox, _ offsets: [Int]
    ) throws(MediaError) {
        let runs = try Self.entries(movie, groups, from: 4, width: 12)
        for (index, run) in runs.enumerated() {
            let first = Int(movie.bigEndian32(at: run))
            let end =
                index + 1 < runs.count
                ? Int(movie.bigEndian32(at: runs[index + 1])) : offsets.count + 1
            guard first >= 1, end >= first, end <= offsets.count + 1 else {
                throw .unreadableMovie
            }
            let samples = Int(movie.bigEndian32(at: run + 4))
            for chunk in first..<end { chunks.append((offsets[chunk - 1], samples)) }
        }
    }

    private static func sizes(_ movie: [UInt8], _ box: ISOBox) throws(MediaError) -> [UInt32] {
        let common = movie.bigEndian32(at: box.content.lowerBound + 4)
        guard common == 0 else {
            let count = Int(movie.bigEndian32(at: box.content.lowerBound + 8))
            guard count <= 1 << 22 else { throw .unreadableMovie }
            return Array(repeating: common, count: count)
        }
        return try entries(movie, box, from: 8, width: 4).map { movie.bigEndian32(at: $0) }
    }

    /// The offsets of a table's entries, whose number is at a place in its content.
    private static func entries(
        _ movie: [UInt8], _ box: ISOBox, from place: Int, width: Int
    ) throws(MediaError) -> [Int] {
        let count = Int(movie.bigEndian32(at: box.content.lowerBound + place))
        let start = box.content.lowerBound + place + 4
        guard count <= (box.content.upperBound - start) / width else { throw .unreadableMovie }
        return (0..<count).map { start + $0 * width }
    }
}
