internal import LazyMedia

/// Movies whose samples fragments list.
extension MovieBytes {
    /// The samples of a track that fragments list; nil where the tables of the movie do, or where not plainly.
    ///
    /// Reads the tables of all fragments, and of a file at a server none: each would be a request.
    func fragmentedSamples(
        ofTrack id: Int, _ limits: DecodingLimits, _ cancellation: CancellationFlag
    ) throws(MediaError) -> SampleTable? {
        guard !isRemote, !isPartial else { return nil }
        try look(to: count, cancellation)
        guard tables.state.withLock({ $0.followers.isEmpty }) else { return nil }
        let (tracks, places, defaults) = tables.state.withLock { state in
            (
                state.listed.filter { $0.id == id }, state.fragmentTables,
                state.fragmentDefaults[id]
            )
        }
        guard let track = tracks.first, tracks.count == 1, let defaults else { return nil }
        return try SampleTable(
            fragments: places, defaults, track, of: bytes, limits, cancellation)
    }

    /// Some samples of a track that fragments list by an index of these: the first fragment, and others.
    ///
    /// Nil where there is no such index, or where the fragments do not list their samples plainly.
    func samples(
        ofTrack id: Int, in parts: FragmentParts, _ limits: DecodingLimits,
        _ cancellation: CancellationFlag
    ) throws(MediaError) -> SampleTable? {
        let (tracks, first, defaults) = tables.state.withLock { state in
            (
                state.listed.filter { $0.id == id }, state.fragmentTables.first,
                state.fragmentDefaults[id]
            )
        }
        guard let track = tracks.first, tracks.count == 1, let defaults, let first,
            let others = try parts.index.tables(of: parts.numbers)
        else { return nil }
        return try SampleTable(
            fragments: [first] + others.filter { $0 != first }, areAll: false, defaults, track,
            of: bytes, limits, cancellation)
    }

    /// The index of a track's fragments; nil where there is none, or where it does not lead to the end.
    func fragmentIndex(
        ofTrack id: Int, _ limits: DecodingLimits, _ cancellation: CancellationFlag
    ) throws(MediaError) -> FragmentIndex? {
        let (tracks, first, indexes) = tables.state.withLock { state in
            (
                state.listed.filter { $0.id == id }, state.fragmentTables.first,
                state.segmentIndexes
            )
        }
        guard let track = tracks.first, let first,
            let header = try track.content(.mdhd, of: bytes, cancellation)
        else { return nil }
        return try FragmentIndex(
            bytes,
            .init(
                track: id, timescale: header.timescale, first: first.lowerBound - 8,
                indexes: indexes), limits, cancellation)
    }

    /// Whether its last fragment ends behind the file; at a server only as far as its boxes are known.
    ///
    /// Reads the heads of the boxes.
    func endsWithinFragment() throws(MediaError) -> Bool {
        if !isRemote { try look(to: count, CancellationFlag()) }
        return tables.state.withLock { $0.isFragmented && $0.isCut }
    }

    /// Whether its header says that fragments list samples.
    var isFragmented: Bool { tables.state.withLock { $0.isFragmented } }

    /// The same movie, of which FFmpeg opens the first fragment alone; nil where that is not plain, or not worth it.
    ///
    /// It reads the tables of all fragments before anything else, and so do we; at a server each would be a request, but
    /// files up to a size are read at once there.
    func fragmented(
        behind quickBytes: Int, _ cancellation: CancellationFlag
    ) throws(MediaError) -> MovieBytes? {
        guard isFragmented, hasReachableEnd, !isRemote || count > quickBytes else {
            return nil
        }
        while tables.state.withLock({ $0.fragmentTables.count < 2 && $0.firstFragmentEnd == nil }),
            case let position = tables.state.withLock({ $0.position }), position < count
        {
            try look(to: position + 1, cancellation)
        }
        guard let end = tables.state.withLock({ $0.firstFragmentEnd }) else {
            return isRemote ? nil : self
        }
        return MovieBytes(bytes, hasOnlyHeaders: false, tables, to: end)
    }

    /// Reads a part of a sample that tables of ours list: no box before it has to be known.
    func readSample(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, _ cancellation: CancellationFlag
    ) throws(MediaError) -> Int {
        guard end != nil else {
            return try read(at: offset, into: buffer, cancellation: cancellation)
        }
        return try bytes.read(at: offset, into: buffer, cancellation: cancellation)
    }

    /// What FFmpeg is to open of bytes.
    static func opened(_ bytes: any ByteSource) -> any ByteSource {
        guard let movie = bytes as? MovieBytes, let end = movie.end else { return bytes }
        return ByteSlice(movie, 0..<end)
    }
}
