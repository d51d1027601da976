internal import LazyMedia

/// Numbers that shorten the tables of a movie's tracks to their first samples.
///
/// FFmpeg reads all tables of all tracks when it opens a movie, some 100 ns a sample. With smaller counts in the
/// headers of the boxes it passes over the rest. The times of `stts` stay: they tell length and rate.
struct TrimmedTables: Sendable {
    /// Four bytes of the file that are read as others.
    struct Patch: Equatable {
        let offset: Int
        let value: UInt32
    }

    /// Which tables are shortened, and how much.
    struct Extent: Sendable {
        /// Tables of at most so many samples stay: FFmpeg reads them at once.
        var threshold = 4096
        /// About how many samples are left: more than are ever reordered.
        var kept = 32
    }

    /// The numbers, in the order of the file.
    private(set) var patches: [Patch] = []
    private let kept: Int

    /// Shortens tracks of pictures and sound that have many samples; others stay.
    init(
        _ tracks: [MovieTrack], of bytes: any ByteSource, to extent: Extent,
        _ cancellation: CancellationFlag
    ) throws(MediaError) {
        kept = extent.kept
        for track in tracks where track.sampleCount > max(extent.threshold, 2 * kept) {
            guard track.isVideo || track.isAudio, !track.isUnusual else { continue }
            try shorten(track, bytes, cancellation)
        }
        patches.sort { $0.offset < $1.offset }
    }

    private mutating func shorten(
        _ track: MovieTrack, _ bytes: any ByteSource, _ cancellation: CancellationFlag
    ) throws(MediaError) {
        // Enough for the samples that are left, whatever their runs.
        let headSize = 8 + (2 * kept + 1) * 12
        func head(_ table: MovieTrack.Table, _ size: Int) throws(MediaError) -> BoxContent? {
            guard let place = track.boxes[table] else { return nil }
            return BoxContent(
                try bytes.bytes(
                    min(place.count, size), at: place.lowerBound, cancellation: cancellation))
        }
        let places: MovieTrack.Table = track.boxes[.co64] == nil ? .stco : .co64
        guard track.boxes[.co64] == nil || track.boxes[.stco] == nil,
            let sizes = try head(.stsz, 12), sizes.number(4) == 0, sizes.number(8) > 0,
            let chunks = try head(.stsc, headSize), let listed = try head(places, 8),
            let chosen = KeptChunks(chunks, most: kept, of: listed.entryCount)
        else { return }
        var own: [Patch] = []
        func patch(_ table: MovieTrack.Table, _ offset: Int, _ value: Int) {
            guard let place = track.boxes[table] else { return }
            own.append(
                Patch(offset: place.lowerBound + offset, value: UInt32(clamping: value)))
        }
        patch(.stsz, 8, chosen.samples)
        patch(places, 4, chosen.chunks)
        patch(.stsc, 4, chosen.entries)
        if let length = chosen.shortened { patch(.stsc, 12, length) }
        if let offsets = try head(.ctts, headSize) {
            guard let runs = runs(of: offsets, covering: chosen.samples) else { return }
            patch(.ctts, 4, runs)
        }
        if let keys = try head(.stss, headSize) {
            let entries = min(keys.entryCount, (keys.size - 8) / 4)
            let count = (0..<max(0, entries)).prefix { keys.number(8 + $0 * 4) <= chosen.samples }
                .count
            guard count > 0 else { return }
            patch(.stss, 4, count)
        }
        patches += own
    }

    private func runs(of offsets: BoxContent, covering samples: Int) -> Int? {
        var covered = 0
        for run in 0..<min(offsets.entryCount, (offsets.size - 8) / 8) {
            covered += Int(offsets.number(8 + run * 8))
            if covered >= samples { return run + 1 }
        }
        return nil
    }

    /// Replaces the bytes that are read from an offset.
    func apply(to buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
        let end = offset + buffer.count
        for patch in patches where patch.offset < end && patch.offset + 4 > offset {
            for (number, byte) in patch.value.bigEndianBytes.enumerated() {
                let place = patch.offset + number - offset
                if place >= 0, place < buffer.count { buffer[place] = byte }
            }
        }
    }
}

/// The first chunks of a track that have about as many samples as wanted.
private struct KeptChunks {
    var samples = 0
    var chunks = 0
    /// The entries of `stsc` that are needed for them.
    var entries = 0
    /// The number of samples that the first chunk is said to have, where it has too many.
    var shortened: Int?

    init?(_ table: BoxContent, most: Int, of total: Int) {
        let listed = min(table.entryCount, (table.size - 8) / 12)
        guard listed > 0, total > 0, table.number(8) == 1 else { return nil }
        let first = Int(table.number(12))
        guard first > 0 else { return nil }
        if first > most {
            (samples, chunks, entries, shortened) = (most, 1, 1, most)
            return
        }
        var entry = 0
        while chunks < total, samples < most {
            while entry + 1 < listed, Int(table.number(8 + (entry + 1) * 12)) == chunks + 1 {
                entry += 1
            }
            let length = Int(table.number(12 + entry * 12))
            guard length > 0, samples + length <= 2 * most else { break }
            samples += length
            chunks += 1
            entries = entry + 1
        }
        if samples == 0 { return nil }
    }
}
