internal import LazyMedia

/// Whether movies follow the first one of a file (`cat a.mp4 b.mp4`).
///
/// FFmpeg reads the fragments of all of them with the header of the first, and nothing of a movie without fragments.
enum JoinedMovie {
    case no
    /// All have the same header, and fragments that lie anywhere, so that they can be read as one.
    case certain
    /// The file of the first one ends here; what follows cannot be read with its header.
    case other(end: Int)

    /// Looks at the boxes of a file that can be read at once; costs a read for each fragment.
    init(_ movie: MovieBytes) throws(MediaError) {
        self = .no
        guard !movie.isRemote, !movie.isPartial else { return }
        try movie.look(to: movie.count, CancellationFlag())
        let (first, tables) = movie.tables.state.withLock { ($0.followers.first, $0) }
        guard let first else { return }
        var areSame = tables.isFragmented && !tables.haveFileOffsets
        for other in tables.followers where areSame {
            areSame = try Self.areEqual(other.tracks, tables.listed, movie)
            if !other.isFragmented { areSame = false }
        }
        if areSame {
            self = .certain
        } else if tables.isFragmented
            || tables.media.contains(where: { $0.upperBound <= first.start })
        {
            self = .other(end: first.start)
        }
    }

    /// Whether tracks have the same numbers, codecs and time scales.
    private static func areEqual(
        _ tracks: [MovieTrack], _ others: [MovieTrack], _ movie: MovieBytes
    ) throws(MediaError) -> Bool {
        guard tracks.map(\.id) == others.map(\.id) else { return false }
        for (track, other) in zip(tracks, others) {
            let flag = CancellationFlag()
            let scales = [
                try track.content(.mdhd, of: movie.bytes, flag)?.timescale,
                try other.content(.mdhd, of: movie.bytes, flag)?.timescale,
            ]
            let codecs = [
                try track.bytes(.stsd, of: movie.bytes), try other.bytes(.stsd, of: movie.bytes),
            ]
            guard scales[0] == scales[1], codecs[0] == codecs[1], codecs[0] != nil else {
                return false
            }
        }
        return true
    }

    /// What is said of a file of which only the first movie is read.
    static let warning = MediaWarning(
        .note, "Another movie follows in the file, and is not read.")
}

extension MovieTrack {
    /// The content of a box of the header; nil where it has none, or a large one.
    fileprivate func bytes(
        _ table: Table, of bytes: any ByteSource
    ) throws(MediaError) -> [UInt8]? {
        guard let place = boxes[table], place.count <= 1 << 16 else { return nil }
        return try bytes.bytes(place.count, at: place.lowerBound)
    }
}
