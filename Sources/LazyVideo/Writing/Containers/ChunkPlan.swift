internal import LazyMedia

/// The order of samples in a movie: all frames, or half seconds of frames and sound in turn.
///
/// A player that reads a file from beginning to end has both when it needs them.
struct ChunkPlan {
    /// Samples of one track that lie together.
    struct Chunk {
        /// 0 for the frames, then the sounds.
        let track: Int
        let samples: Range<Int>
        let byteCount: Int
    }

    private(set) var chunks: [Chunk] = []

    /// Plans the file; `times` are those of the frames at `timescale`.
    init(_ table: ClipTable, _ sounds: [SoundTable], _ times: MovieTimes, timescale: Int64) {
        guard !sounds.isEmpty else {
            let size = table.samples.reduce(0) { $0 + $1.size }
            chunks = [Chunk(track: 0, samples: table.samples.indices, byteCount: size)]
            return
        }
        var (frame, decoded) = (0, Int64(0))
        var packets = Array(repeating: 0, count: sounds.count)
        var limit = 0.0
        while true {
            let waiting = zip(sounds, packets).filter { $1 < $0.sizes.count }
            let shown = frame < table.samples.count ? Double(decoded) / Double(timescale) : nil
            guard let next = (waiting.map { $0.seconds($1) } + [shown].compactMap(\.self)).min()
            else { break }
            limit = max(limit, next) + 0.5
            let firstFrame = frame
            while frame < table.samples.count, Double(decoded) / Double(timescale) < limit {
                decoded += times.lengths[frame]
                frame += 1
            }
            add(0, firstFrame..<frame, table.samples[firstFrame..<frame].map(\.size))
            for (place, sound) in sounds.enumerated() {
                let first = packets[place]
                var end = first
                while end < sound.sizes.count, sound.seconds(end) < limit { end += 1 }
                add(place + 1, first..<end, sound.sizes[first..<end])
                packets[place] = end
            }
        }
    }

    private mutating func add(
        _ track: Int, _ samples: Range<Int>, _ sizes: some Sequence<Int>
    ) {
        guard !samples.isEmpty else { return }
        chunks.append(
            Chunk(track: track, samples: samples, byteCount: sizes.reduce(0, +)))
    }

    /// The number of bytes of all samples.
    var byteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }

    /// The boxes `stsc` and `stco`, or `co64` in large files, of a track whose file's samples begin at an
    /// offset.
    func boxes(of track: Int, at place: Int) -> [UInt8] {
        var (runs, offsets) = (BigEndian(), BigEndian())
        var (count, runCount, last, offset) = (0, 0, 0, place)
        let isLarge = byteCount > Int(UInt32.max) - (1 << 20)
        for chunk in chunks {
            if chunk.track == track {
                count += 1
                offsets.put(offset, isLarge ? 8 : 4)
                if chunk.samples.count != last {
                    last = chunk.samples.count
                    runCount += 1
                    for value in [count, last, 1] { runs.put(value, 4) }
                }
            }
            offset += chunk.byteCount
        }
        return ISOBox.makeFull("stsc", version: 0, number(runCount) + runs.bytes)
            + ISOBox.makeFull(isLarge ? "co64" : "stco", version: 0, number(count) + offsets.bytes)
    }
}

/// A number of four bytes.
func number(_ value: Int) -> [UInt8] {
    var body = BigEndian()
    body.put(value, 4)
    return body.bytes
}
