internal import LazyGIF
internal import LazyJPEG
internal import LazyPNG

#if Video
    internal import LazyVideo
#endif

extension DecoderRegistry {
    /// All decoders of this build: giflib, libpng, libjpeg-turbo, and FFmpeg.
    ///
    /// FFmpeg comes with the trait `Video`, and opens what the others do not.
    /// FFmpeg's libraries are loaded when the first media that needs them is opened.
    public static let standard: DecoderRegistry = {
        var registry = DecoderRegistry()
        #if Video
            registry.register(VideoDecoder())
        #endif
        registry.register(JPEGDecoder())
        registry.register(PNGDecoder())
        registry.register(APNGDecoder())
        registry.register(GIFDecoder())
        return registry
    }()
}
