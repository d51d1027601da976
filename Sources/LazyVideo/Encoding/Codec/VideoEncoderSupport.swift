internal import CFFmpeg
package import LazyMedia

/// Which video encoders the FFmpeg on this machine has.
package struct VideoEncoderSupport: Hashable, Sendable {
    /// FFmpeg's name of the encoder, such as `libx264`.
    package let name: String
    /// What it writes.
    package let codec: VideoCodecChoice
    /// The types of files it is used for.
    package let types: [MediaType]
    /// Whether it is installed.
    package let isInstalled: Bool

    /// The encoders that would be used, the preferred ones of a codec first; loads FFmpeg.
    ///
    /// Throws `.environment` where FFmpeg itself is missing. Costs what loading FFmpeg costs, some
    /// 40 ms the first time in a process.
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
