internal import LazyAVIF
internal import LazyJPEG
internal import LazyPNG

extension EncoderRegistry {
    /// All encoders of this build; each format module adds the makers of what it writes.
    public static let standard: EncoderRegistry = {
        var registry = EncoderRegistry()
        registry.register(JPEGMaker())
        registry.register(PNGMaker())
        registry.register(APNGMaker())
        registry.register(AVIFStillMaker())
        registry.register(AVIFSequenceMaker())
        return registry
    }()
}
