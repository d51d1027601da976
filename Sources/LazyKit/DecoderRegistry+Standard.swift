internal import LazyGIF
internal import LazyPNG

#if Video
    internal import LazyVideo
#endif

extension DecoderRegistry {
    /// All decoders of this build: giflib, libpng and, with the trait `Video`, FFmpeg.
    ///
    /// FFmpeg's libraries are loaded when the first media that needs them is opened.
    public static let standard: DecoderRegistry = {
        var registry = DecoderRegistry()
        #if Video
            registry.register(VideoDecoder())
        #endif
        registry.register(PNGDecoder())
        registry.register(GIFDecoder())
        return registry
    }()
}
