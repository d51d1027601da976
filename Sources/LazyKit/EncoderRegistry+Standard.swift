internal import LazyAVIF
internal import LazyGIF
internal import LazyJPEG
internal import LazyPNG
internal import LazyWebP

#if Video
    internal import LazyVideo
#endif

extension EncoderRegistry {
    /// All encoders of this build; each format module adds the makers of what it writes.
    public static let standard: EncoderRegistry = {
        var registry = EncoderRegistry()
        registry.register(GIFMaker())
        registry.register(JPEGMaker())
        registry.register(PNGMaker())
        registry.register(APNGMaker())
        registry.register(AVIFStillMaker())
        registry.register(AVIFSequenceMaker())
        registry.register(WebPStillMaker())
        registry.register(AnimatedWebPMaker())
        #if Video
            registry.register(MP4Maker())
            registry.register(WebMMaker())
        #endif
        return registry
    }()
}
