extension FrameSequence {
    /// Sniffs bytes and opens them with the decoder of their type.
    ///
    /// `track` selects the film of a motion photo instead of its still. Blocks while the header is
    /// read. Throws `.unsupported`, `.malformed`, `.truncated`, `.encrypted`, `.limitExceeded`,
    /// `.trackNotFound` or `.environment`. `cancellation` ends the wait for a decoder in another
    /// process.
    public init(
        opening bytes: any ByteSource, limits: DecodingLimits = .web,
        registry: DecoderRegistry = .standard, track: MediaTrack = .main,
        cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) {
        let media = try registry.open(bytes, limits: limits, cancellation: cancellation)
        self = try FrameSequence(media, limits: limits).track(
            track, openedBy: registry, cancellation: cancellation)
    }

    /// Opens a file; see `init(opening:limits:registry:track:cancellation:)`.
    public init(
        path: String, limits: DecodingLimits = .local, track: MediaTrack = .main
    ) throws(MediaError) {
        try self.init(opening: FileBytes(path: path), limits: limits, track: track)
    }

    /// Opens a track of the same file, such as the film of a motion photo.
    ///
    /// See `track(_:openedBy:cancellation:)`.
    public func track(_ track: MediaTrack) throws(MediaError) -> FrameSequence {
        try self.track(track, openedBy: .standard)
    }
}
