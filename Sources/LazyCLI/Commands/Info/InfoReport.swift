internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

extension Reports {
    /// `info --json`: the metadata of one input.
    static func info(
        _ info: MediaInfo, input: String, byteCount: Int?, frames: FrameIndex?,
        _ transfer: Transfer? = nil
    ) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("input", .name(input)),
            ("type", .string(info.type.name)),
            ("codec", .string(info.codec)),
            ("width", .integer(info.hasPicture ? info.size.width : nil)),
            ("height", .integer(info.hasPicture ? info.size.height : nil)),
            ("frameCount", .integer(info.frameCount)),
            ("durationUs", .integer(info.duration?.microseconds)),
            ("startUs", .integer(info.start.microseconds)),
            ("loop", loop(info.loop)),
            ("hasAlpha", .bool(info.hasAlpha)),
            ("rotation", .integer(info.rotation)),
            ("pixelAspect", .string(info.pixelAspect.description)),
            ("color", color(info)),
            ("bitDepth", .integer(info.bitDepth)),
            ("pixelFormat", info.pixelFormat.map { .string($0) } ?? .null),
            ("fieldOrder", .string(info.fieldOrder.rawValue)),
            ("bitRate", .integer(info.bitRate.map { Int(clamping: $0) })),
            ("title", .string(orNull: info.tags.title)),
            ("artist", .string(orNull: info.tags.artist)),
            ("album", .string(orNull: info.tags.album)),
            ("byteCount", .integer(byteCount)),
            ("truncated", .bool(info.isTruncated)),
            ("warnings", (info.warnings + info.motionWarning.asList).value),
            ("streams", .array(info.streams.map { stream($0, info) })),
            ("motion", info.motion.map(motion) ?? .null),
        ]
        if let frames { members.append(("frames", .rows(frames.count) { timing(frames[$0]) })) }
        if let transfer { members.append(("transfer", self.transfer(transfer))) }
        return .object(members)
    }

    /// The transfer of a URL.
    static func transfer(_ transfer: Transfer) -> JSONValue {
        .object([
            ("from", .string(transfer.origin)), ("bytes", .integer(transfer.bytesRead())),
            ("totalBytes", .integer(transfer.total)),
        ])
    }

    private static func stream(_ stream: StreamInfo, _ info: MediaInfo) -> JSONValue {
        .object([
            ("index", .integer(stream.index)),
            ("kind", .string(stream.kind.rawValue)),
            ("codec", .string(stream.codec)),
            ("width", .integer(stream.codedSize?.width)),
            ("height", .integer(stream.codedSize?.height)),
            ("chosen", .bool(stream.isChosen)),
            ("language", .string(orNull: stream.language)),
            ("title", .string(orNull: stream.title)),
            ("default", .bool(stream.isDefault)),
            ("forced", .bool(stream.isForced)),
            (
                "subtitles",
                info.number(ofSubtitles: stream).map { number in
                    .object([("track", .integer(number)), ("text", .bool(stream.isText))])
                } ?? .null
            ),
        ])
    }

    private static func timing(_ timing: FrameTiming) -> JSONValue {
        .object([
            ("index", .integer(timing.index)),
            ("ptsUs", .integer(timing.presentation.microseconds)),
            ("durationUs", .integer(timing.duration.microseconds)),
            ("rawDurationUs", .integer(timing.rawDuration.microseconds)),
            ("key", .bool(timing.isKeyframe)),
        ])
    }

    /// The metadata as aligned lines for people.
    static func text(
        _ info: MediaInfo, label: String, byteCount: Int?, _ transfer: Transfer? = nil
    ) -> String {
        var rows: [(String, String)] = [
            ("type", "\(info.type.name) (\(info.type.mimeType)), \(info.codec)")
        ]
        if info.hasPicture { rows.append((info.isSong ? "cover" : "size", size(info))) }
        for (name, text) in [
            ("title", info.tags.title), ("artist", info.tags.artist), ("album", info.tags.album),
        ] {
            if let text { rows.append((name, text)) }
        }
        if let count = info.frameCount, !info.isSong { rows.append(("frames", String(count))) }
        if let duration = info.duration, duration > .zero {
            rows.append(("duration", duration.inSeconds + rate(info)))
        }
        // Sound that begins a frame earlier is no news.
        if info.start >= .milliseconds(100) {
            rows.append(("begins", "at \(info.start.inSeconds), behind its sound"))
        }
        if !info.isSong {
            if info.type.family != .still { rows.append(("plays", plays(info))) }
            rows.append(("alpha", info.hasAlpha ? "yes" : "no"))
            rows += colorRows(info)
        }
        if info.fieldOrder != .progressive { rows.append(("fields", fields(info.fieldOrder))) }
        if let byteCount { rows.append(("file size", ByteSize.text(byteCount))) }
        if let rate = info.bitRate { rows.append(("bit rate", "\(rate / 1000) kbit/s")) }
        for stream in info.streams { rows.append(("stream \(stream.index)", text(stream, info))) }
        if let film = info.motion { rows.append(("track motion", text(film))) }
        if let transfer { rows.append(("loaded", amount(transfer))) }
        if info.isTruncated { rows.append(("truncated", "yes")) }
        for warning in info.warnings + info.motionWarning.asList {
            rows.append(("warning", warning.message))
        }
        return label + "\n" + table(rows)
    }

    private static func amount(_ transfer: Transfer) -> String {
        let read = ByteSize.text(transfer.bytesRead())
        guard let total = transfer.total, total > transfer.bytesRead() else { return read }
        return "\(read) of \(ByteSize.text(total))"
    }

    /// Rows of two columns, the second aligned.
    static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(value)\n"
        }.joined()
    }

    private static func size(_ info: MediaInfo) -> String {
        var text = info.size.description
        if info.rotation != 0 { text += ", rotated \(info.rotation) degrees" }
        if info.isMirrored { text += ", mirrored" }
        let aspect = info.pixelAspect
        if aspect.numerator != aspect.denominator { text += ", pixel aspect \(aspect)" }
        return text
    }

    private static func plays(_ info: MediaInfo) -> String {
        // The container has no number of plays.
        if info.type.family == .video { return "as players decide" }
        return switch info.loop.plays {
        case nil: "forever"
        case 1: "once"
        case let count?: "\(count) times"
        }
    }

    static func rate(_ info: MediaInfo) -> String {
        guard let count = info.frameCount, count > 1, let duration = info.duration,
            duration > info.start
        else { return "" }
        let seconds = (duration - info.start) / .seconds(1)
        let hundredths = Int(saturating: Double(count) / seconds * 100)
        return ", \(hundredths / 100).\(String(hundredths % 100).padded(to: 2)) frames per second"
    }

    private static func text(_ stream: StreamInfo, _ info: MediaInfo) -> String {
        var words = ["\(stream.kind.rawValue) \(stream.codec)"]
        if let number = info.number(ofSubtitles: stream) {
            words.append("track \(number)" + (stream.isText ? "" : " of pictures"))
        }
        if let language = stream.language { words.append(language) }
        if let title = stream.title { words.append("'\(title)'") }
        if let size = stream.codedSize { words.append(size.description) }
        if stream.isChosen { words.append("shown") }
        if stream.kind == .audio { words.append("never decoded") }
        if stream.kind == .subtitle, stream.isDefault { words.append("default") }
        if stream.isForced { words.append("forced") }
        return words.joined(separator: ", ")
    }

    /// The times of frames as a table for people, in pieces.
    static func frames(_ index: FrameIndex) -> some Sequence<String> {
        let rows = 1000
        return stride(from: 0, to: max(1, index.count), by: rows).lazy.map { start in
            (start == 0 ? framesHead : "")
                + (start..<min(start + rows, index.count)).map { row(index[$0]) }.joined()
        }
    }

    private static let framesHead =
        "  " + ["frame", "pts s", "duration s", "file says s"].columns(13) + "  key\n"

    private static func row(_ timing: FrameTiming) -> String {
        let columns = [
            String(timing.index), timing.presentation.description,
            timing.duration.description, timing.rawDuration.description,
        ]
        return "  " + columns.columns(13) + (timing.isKeyframe ? "  key\n" : "\n")
    }

}

extension MediaInfo {
    /// Whether there is anything to show; a song may lack a cover.
    fileprivate var hasPicture: Bool {
        !isSong || streams.contains { $0.kind == .attachedPicture }
    }

    /// The number of a track of subtitles, as `--subtitles track:` takes it; nil for other streams.
    fileprivate func number(ofSubtitles stream: StreamInfo) -> Int? {
        streams.filter { $0.kind == .subtitle }.firstIndex(of: stream).map { $0 + 1 }
    }
}

extension Reports {
    /// The film of a motion photo.
    static func motion(_ film: MotionFilm) -> JSONValue {
        .object([
            ("kind", .string(film.kind.rawValue)),
            ("type", .string(film.type.name)),
            ("offset", .integer(film.range.lowerBound)),
            ("byteCount", .integer(film.range.count)),
            ("durationUs", .integer(film.duration?.microseconds)),
            ("stillUs", .integer(film.stillTime?.microseconds)),
        ])
    }

    /// The film for people.
    static func text(_ film: MotionFilm) -> String {
        var words = [film.type.name, ByteSize.text(film.range.count)]
        if let duration = film.duration { words.append(duration.inSeconds) }
        let name =
            switch film.kind {
            case .motionPhoto: "Google Motion Photo"
            case .microVideo: "Google MicroVideo"
            case .samsung: "Samsung Motion Photo"
            case .mpvd: "HEIF mpvd"
            }
        return (words + [name]).joined(separator: ", ")
    }
}

extension MediaWarning? {
    /// The warning, if there is one.
    var asList: [MediaWarning] { map { [$0] } ?? [] }
}
