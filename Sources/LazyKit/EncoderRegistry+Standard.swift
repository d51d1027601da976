internal import LazyGIF

extension EncoderRegistry {
    /// All encoders of this build; each format module adds the makers of what it writes.
    public static let standard: EncoderRegistry = {
        var registry = EncoderRegistry()
        registry.register(GIFMaker())
        return registry
    }()
}
