internal import CFFmpeg
package import LazyMedia

/// The video encoders of the installed FFmpeg.
package struct VideoEncoderSupport: Hashable, Sendable {
    /// The encoder's name in FFmpeg, such as `libx264`.
    package let name: String
    /// The codec that it writes.
    package let codec: VideoCodecChoice
    /// The types of files that use it.
    package let types: [MediaType]
    /// Whether it is installed.
    package let isInstalled: Bool

    /// The encoders that would be used, the preferred ones of a codec first; loads FFmpeg.
    ///
    /// Throws `.environment` where FFmpeg is missing. Loading FFmpeg takes some 40 ms the first time in a
    /// process.
    package static func available() throws(MediaError) -> [VideoEncoderSupport] {
        try FFmpegLibrary.loadForWriting()
        let wish = EncoderChoice.Wish(
            size: PixelSize(width: 640, height: 360), quality: 75, effort: 4, threads: 1)
        return VideoCodecChoice.allCases.flatMap { codec in
            let types: [(ClipFile, MediaType)] = [(.mp4, .mp4), (.webm, .webm)]
            return EncoderChoice.candidates(codec, wish).map { choice in
                VideoEncoderSupport(
                    name: choice.name, codec: codec,
                    types: types.filter { $0.0.codecs.contains(codec) }.map(\.1),
                    isInstalled: lz_find_encoder_named(choice.name) != nil)
            }
        }
    }
}
