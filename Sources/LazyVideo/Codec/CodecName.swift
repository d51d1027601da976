internal import CFFmpeg

/// The names of codecs.
enum CodecName {
    /// FFmpeg's short name of a codec.
    ///
    /// For an unknown codec the name that belongs to the container's four-character code, else that
    /// code, else `unknown`.
    static func of(_ id: AVCodecID, tag: UInt32 = 0) -> String {
        guard id == AV_CODEC_ID_NONE else { return String(cString: lz_codec_name(id)) }
        guard let code = code(tag) else { return "unknown" }
        return newer[code] ?? code
    }

    /// Names of codecs that older versions of FFmpeg do not know.
    private static let newer = [
        "vvc1": "vvc", "vvi1": "vvc", "evc1": "evc", "lvc1": "lcevc", "apv1": "apv",
        "dvh1": "hevc", "dvhe": "hevc", "dav1": "av1",
    ]

    /// The four characters of a tag, the first in the lowest byte; nil where they are not printable.
    private static func code(_ tag: UInt32) -> String? {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
