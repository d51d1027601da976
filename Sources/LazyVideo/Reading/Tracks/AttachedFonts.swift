internal import CFFmpeg
internal import LazyMedia

/// The fonts that a Matroska file has attached, within the limit of their bytes.
struct AttachedFonts {
    private(set) var fonts: [SubtitleTrack.Font] = []
    private var omitted: [String] = []
    private let limit: Int?

    init(_ demuxer: Demuxer, _ limits: DecodingLimits) {
        limit = limits.fontBytes
        var left = limit ?? .max
        for stream in demuxer.streams where Self.isFont(stream) {
            let parameters = stream.pointee.codecpar.pointee
            guard let start = parameters.extradata, parameters.extradata_size > 0 else { continue }
            let bytes = UnsafeBufferPointer(start: start, count: Int(parameters.extradata_size))
            let name =
                lz_dict_value(stream.pointee.metadata, "filename").map { String(cString: $0) }
                ?? "font"
            guard bytes.count <= left, fonts.count < SubtitleTrack.maxFonts else {
                omitted.append(name)
                continue
            }
            left -= bytes.count
            fonts.append(.init(name: name, bytes: Array(bytes)))
        }
    }

    /// A warning about fonts that were left out.
    var warnings: [MediaWarning] {
        guard let first = omitted.first else { return [] }
        let fonts =
            omitted.count == 1 ? "The font \(first) is" : "\(omitted.count) fonts are"
        return [
            MediaWarning(
                .note,
                "\(fonts) not used for the subtitles: fonts in a file have a limit of \(DecodingLimits.text(limit)) bytes (--limit fonts=)."
            )
        ]
    }

    private static func isFont(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        guard stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT else {
            return false
        }
        switch stream.pointee.codecpar.pointee.codec_id {
        case AV_CODEC_ID_TTF, AV_CODEC_ID_OTF: return true
        default: break
        }
        guard let type = lz_dict_value(stream.pointee.metadata, "mimetype") else { return false }
        let name = String(cString: type).lowercased()
        return name.hasPrefix("font/") || names.contains(name)
    }

    private static let names: Set = [
        "application/x-truetype-font", "application/x-font-ttf", "application/x-font-otf",
        "application/x-font-opentype", "application/vnd.ms-opentype", "application/font-sfnt",
        "application/x-font",
    ]
}
