public import LazyBase
public import LazyMedia

extension FrameSequence {
    /// Sniffs bytes and opens them with the decoder of their type.
    ///
    /// `registry` says where they are decoded: `.standard` in this process, `isolated(by:)` in others.
    /// `track` selects the film of a motion photo instead of its still. Blocks while the header is
    /// read. Throws `.unsupported`, `.malformed`, `.truncated`, `.encrypted`, `.limitExceeded`,
    /// `.trackNotFound` or `.environment`. `cancellation` ends the wait for a decoder in another
    /// process.
    public init(
        opening bytes: any ByteSource, limits: DecodingLimits = .web,
        registry: DecoderRegistry, track: MediaTrack = .main,
        cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) {
        let media = try registry.open(bytes, limits: limits, cancellation: cancellation)
        self = try FrameSequence(media, limits: limits).track(
            track, openedBy: registry, cancellation: cancellation)
    }

    /// Opens a file that is decoded in this process.
    ///
    /// See `init(opening:limits:registry:track:cancellation:)`, which also opens strangers' files.
    public init(
        path: String, limits: DecodingLimits = .local, track: MediaTrack = .main
    ) throws(MediaError) {
        try self.init(
            opening: FileBytes(path: path), limits: limits, registry: .standard, track: track)
    }
}
