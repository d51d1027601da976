extension FrameSequence {
    /// Sniffs bytes and opens them with the decoder of their type.
    ///
    /// Blocks while the header is read. Throws `.unsupported`, `.malformed`, `.truncated`,
    /// `.encrypted`, `.limitExceeded` or `.environment`.
    public init(
        opening bytes: any ByteSource, limits: DecodingLimits = .web,
        registry: DecoderRegistry = .standard
    ) throws(MediaError) {
        self.init(try registry.open(bytes, limits: limits), limits: limits)
    }

    /// Opens a file; see `init(opening:limits:registry:)`.
    public init(path: String, limits: DecodingLimits = .local) throws(MediaError) {
        try self.init(opening: FileBytes(path: path), limits: limits)
    }
}
