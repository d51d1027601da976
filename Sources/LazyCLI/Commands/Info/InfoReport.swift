internal import LazyBase
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

extension Reports {
    /// The transfer of a URL.
    static func transfer(_ transfer: Transfer) -> JSONValue {
        .object([
            ("from", .string(transfer.origin)), ("byteCount", .integer(transfer.byteCount)),
            ("totalByteCount", .integer(transfer.total)),
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
            ("date", info.tags.date), ("copyright", info.tags.copyright),
            ("comment", info.tags.comment), ("location", info.tags.location),
            ("device", info.tags.device),
        ] {
            if let text { rows.append((name, text)) }
        }
        if let count = info.frameCount, !info.isSong { rows.append(("frames", String(count))) }
        if let count = info.estimatedFrameCount { rows.append(("frames", "about \(count)")) }
        if let duration = info.duration, duration > .zero {
            rows.append(("duration", duration.inSeconds + info.rateText))
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
        for (place, chapter) in info.chapters.prefix(100).enumerated() {
            let title = chapter.title.map { ", '\($0)'" } ?? ""
            rows.append(("chapter \(place + 1)", "\(chapter.start.inSeconds)\(title)"))
        }
        if let film = info.motion { rows.append(("track motion", text(film))) }
        if let transfer { rows.append(("loaded", amount(transfer))) }
        if info.isTruncated { rows.append(("truncated", "yes")) }
        for warning in info.warnings + [info.motionWarning].compactMap(\.self) {
            rows.append(("warning", warning.message))
        }
        return label + "\n" + table(rows)
    }

    private static func amount(_ transfer: Transfer) -> String {
        let read = ByteSize.text(transfer.byteCount)
        guard let total = transfer.total, total > transfer.byteCount else { return read }
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

    /// How often media play, which containers of video do not say.
    static func plays(_ info: MediaInfo) -> String {
        info.type.family == .video ? "as players decide" : plays(info.loop.plays)
    }

    /// A number of plays in words.
    static func plays(_ count: Int?) -> String {
        switch count {
        case nil: "forever"
        case 1: "once"
        case let count?: "\(count) times"
        }
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

extension Reports {
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
