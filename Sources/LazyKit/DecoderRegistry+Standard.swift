internal import LazyAVIF
internal import LazyGIF
internal import LazyJPEG
internal import LazyPNG
internal import LazyWebP

#if Video
    internal import LazyVideo
#endif

extension DecoderRegistry {
    /// All decoders of this build: giflib, libpng, libjpeg-turbo, libwebp, libavif and FFmpeg.
    ///
    /// FFmpeg comes with the trait `Video`, and opens what the others do not.
    /// Its libraries, and libavif's, are loaded when the first media that needs them is opened.
    public static let standard: DecoderRegistry = {
        var registry = DecoderRegistry()
        #if Video
            registry.register(VideoDecoder())
        #endif
        registry.register(JPEGDecoder())
        registry.register(PNGDecoder())
        registry.register(APNGDecoder())
        registry.register(AVIFDecoder())
        registry.register(WebPDecoder())
        registry.register(GIFDecoder())
        return registry
    }()
}
