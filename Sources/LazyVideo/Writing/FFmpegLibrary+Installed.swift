internal import CFFmpeg
internal import LazyMedia

extension FFmpegLibrary {
    /// FFmpeg's libraries as they are installed, with the codecs that matter here; loads them.
    static func installed() -> [InstalledLibrary] {
        let purpose = "video and stills"
        guard (try? load()) != nil else {
            return [
                InstalledLibrary(
                    name: "FFmpeg", version: nil, license: "LGPL or GPL", purpose: purpose,
                    package: "ffmpeg")
            ]
        }
        let license = String(cString: lz_codec_license())
        let versions = [
            ("libavutil", lz_avutil_version()), ("libavcodec", lz_avcodec_version()),
            ("libavformat", lz_avformat_version()), ("libswscale", lz_swscale_version()),
        ]
        return versions.map { name, version in
            InstalledLibrary(
                name: name, version: "\(version >> 16).\(version >> 8 & 255).\(version & 255)",
                license: license, purpose: purpose,
                codecs: name == "libavcodec" ? decoders() + encoders() : [])
        }
    }

    /// Decoders by the names that FFmpeg gives them; the last two keep the alpha of WebM.
    private static func decoders() -> [InstalledLibrary.Codec] {
        let names = [
            "h264", "hevc", "libdav1d", "av1", "mpeg4", "mpeg2video", "mjpeg", "prores", "theora",
            "webp", "tiff", "bmp", "libvpx", "libvpx-vp9",
        ]
        return names.map { .init(name: $0, isInstalled: lz_find_decoder_named($0) != nil) }
    }

    /// The encoders that MP4 and WebM are written with, the preferred ones of a codec first.
    private static func encoders() -> [InstalledLibrary.Codec] {
        guard (try? loadForWriting()) != nil else { return [] }
        let request = EncoderChoice.Request(
            size: PixelSize(width: 640, height: 360), quality: 75, effort: 4, threads: 1)
        return VideoCodecChoice.allCases.flatMap { codec in
            EncoderChoice.candidates(codec, request).map { choice in
                .init(
                    name: choice.name, encodes: codec.rawValue,
                    isInstalled: lz_find_encoder_named(choice.name) != nil)
            }
        }
    }
}
