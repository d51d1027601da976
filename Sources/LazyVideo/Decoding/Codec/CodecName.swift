internal import CFFmpeg

/// What codecs are called.
enum CodecName {
    /// FFmpeg's short name of a codec; of one that it does not know the name that goes with the
    /// container's code of four letters, else that code, else `unknown`.
    static func of(_ id: AVCodecID, tag: UInt32 = 0) -> String {
        guard id == AV_CODEC_ID_NONE else { return String(cString: lz_codec_name(id)) }
        guard let code = code(tag) else { return "unknown" }
        return newer[code] ?? code
    }

    /// Codecs that are younger than FFmpeg 5.1, by the names that later versions give them.
    private static let newer = [
        "vvc1": "vvc", "vvi1": "vvc", "evc1": "evc", "lvc1": "lcevc", "apv1": "apv",
        "dvh1": "hevc", "dvhe": "hevc", "dav1": "av1",
    ]

    /// The four letters of a tag, the first in the lowest byte; nil where they are none.
    private static func code(_ tag: UInt32) -> String? {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
