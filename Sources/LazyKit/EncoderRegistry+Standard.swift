#if Video
    internal import LazyVideo
#endif

extension EncoderRegistry {
    /// All encoders of this build; each format module adds the makers of what it writes.
    public static let standard: EncoderRegistry = {
        var registry = EncoderRegistry()
        #if Video
            registry.register(MP4Maker())
            registry.register(WebMMaker())
        #endif
        return registry
    }()
}
