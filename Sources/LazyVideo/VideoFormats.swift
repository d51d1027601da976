package import LazyMedia

extension MediaFormat {
    /// The formats that FFmpeg reads, and MP4 and WebM, which are written with its encoders.
    ///
    /// Listing them loads nothing: FFmpeg is loaded when the first file is opened or written.
    package static let video: [MediaFormat] = codecFree.map { format in
        var format = format
        format.decoders = [VideoDecoder()]
        format.libraries = FFmpegLibrary.installed
        switch format.name {
        case mp4.name: format.encoders = [mp4Encoder]
        case webm.name: format.encoders = [webmEncoder]
        default: break
        }
        return format
    }

    /// Durations are written in steps of 1/90000 s or less.
    private static let mp4Encoder = EncoderFactory(
        .mp4, FormatTraits(canAnimate: true, alpha: .none, side: 16_384, containerBytes: 800)
    ) { (options, threads) throws(MediaError) in try ClipEncoder(.mp4, options, threads: threads) }

    /// Durations are milliseconds.
    private static let webmEncoder = EncoderFactory(
        .webm,
        FormatTraits(canAnimate: true, alpha: .full, step: 1000, side: 16_384, containerBytes: 400)
    ) { (options, threads) throws(MediaError) in try ClipEncoder(.webm, options, threads: threads) }
}
