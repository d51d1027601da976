internal import LazyMedia

/// How much later than it is decoded each sample of a movie's track is shown (ISO/IEC 14496-12, 8.6.1.3).
struct CompositionOffsets: Equatable {
    /// Samples in a row with the same offset.
    private struct Run: Equatable {
        let count: Int
        let offset: Int64
    }

    private let runs: [Run]

    /// Reads the content of a `ctts` box; nil if it has not that form.
    init?(_ content: [UInt8]) {
        guard content.count >= 8 else { return nil }
        let count = Int(content.bigEndian32(at: 4))
        guard count <= (content.count - 8) / 8 else { return nil }
        runs = (0..<count).map { number in
            let place = 8 + number * 8
            // Signed in both versions: writers of version 0 have negative ones, too.
            return Run(
                count: Int(content.bigEndian32(at: place)),
                offset: Int64(Int32(bitPattern: content.bigEndian32(at: place + 4))))
        }
    }

    /// A track whose samples are shown in the order of decoding.
    init() { runs = [] }

    /// The offsets of so many samples; nil where there are other numbers of them.
    func expanded(to count: Int) -> [Int64]? {
        if runs.isEmpty { return Array(repeating: 0, count: count) }
        var offsets: [Int64] = []
        offsets.reserveCapacity(count)
        for run in runs {
            guard run.count <= count - offsets.count else { return nil }
            offsets.append(contentsOf: repeatElement(run.offset, count: run.count))
        }
        return offsets.count == count ? offsets : nil
    }
}

extension MovieTables {
    /// What is known about a track without reading its tables.
    struct Track: Equatable {
        /// The number that FFmpeg gives its stream.
        var id = 0
        /// The number of its samples.
        var sampleCount = 0
        /// Where its composition offsets are, without the header of the box.
        var offsets: Range<Int>?
    }
}
