package import ArgumentParser
internal import LazyBase
package import LazyEditing
package import LazyMedia
internal import LazyRenditions

/// What is drawn over every picture.
package struct OverlayOptions: ParsableArguments, Sendable {
    @Option("Write a text on every picture; {time}, {frame} and {name} are filled in.", as: "text")
    package var text: String?

    @Option("Where the text is. Default: south-west.", Words.place, as: "place")
    package var textGravity: Gravity?

    @Option(
        "The height of a line in percent of the picture's. Default: 6.",
        Words.textSize, as: "percent")
    package var textSize: Double?

    @Option("The color of the text, as in CSS. Default: white.", Words.color, as: "color")
    package var textColor: PixelColor?

    @Option(
        "Draw a picture on every picture; an animation moves by the times of the result.",
        as: "file", completion: .file())
    package var watermark: String?

    @Option(
        "The width of the watermark in percent of the picture's, such as 20%. Default: its own size.",
        Words.watermarkSize, as: "percent")
    package var watermarkSize: Double?

    @Option("Where the watermark is. Default: south-east.", Words.place, as: "place")
    package var watermarkGravity: Gravity?

    @Option("How opaque the watermark is, 0 to 1. Default: 1.", Words.opacity, as: "share")
    package var watermarkOpacity: Double?

    @Option(
        "Draw subtitles by the time of the source: those of a file (SubRip, WebVTT or ASS), or of a text track of the input itself: track, track:2, or track:deu for a language.",
        as: "file|track", completion: .file(extensions: ["srt", "vtt", "ass", "ssa"]))
    package var subtitles: String?

    @Option(
        "The encoding of the file of --subtitles, as in 'iconv -l'. Default: by its mark, UTF-8, or a guess that is said.",
        as: "name",
        completion: .list([
            "UTF-8", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "ISO-8859-15",
            "KOI8-R", "GB18030", "BIG5", "SHIFT_JIS", "EUC-KR",
        ]))
    package var subtitleEncoding: String?

    package init() {}

    /// The overlays, the watermark below the texts; throws for contradictions and unreadable files.
    package func overlays(_ files: OverlayFiles) throws(OptionError) -> [Overlay] {
        try check()
        return try files.read(try named(hashing: false))
    }

    /// The overlays with the names and digests of files in place of what is in them.
    package func asked() throws(OptionError) -> [Overlay] { try named(hashing: true) }

    private func named(hashing: Bool) throws(OptionError) -> [Overlay] {
        var overlays: [Overlay] = []
        if let watermark {
            overlays.append(
                Self.named(
                    watermark,
                    .picture(
                        gravity: watermarkGravity ?? .southEast, opacity: watermarkOpacity ?? 1,
                        size: watermarkSize.map { $0 / 100 }),
                    hashing: hashing))
        }
        if let subtitles {
            let track = try Self.track(subtitles)
            overlays.append(
                track.map { .subtitles(SubtitleOverlay(track: $0)) }
                    ?? Self.named(
                        subtitles, .subtitles(encoding: subtitleEncoding), hashing: hashing))
        }
        return overlays + texts
    }

    private static func named(
        _ path: String, _ use: Overlay.File.Use, hashing: Bool
    ) -> Overlay {
        .file(Overlay.File(path, use, sha256: hashing ? Digest.content(path)?.hex : nil))
    }

    private var texts: [Overlay] {
        guard let text else { return [] }
        return [
            .text(
                TextOverlay(
                    text, gravity: textGravity ?? .southWest, height: (textSize ?? 6) / 100,
                    color: textColor ?? .white))
        ]
    }

    /// Throws for contradictions; reads no file.
    package func check() throws(OptionError) {
        let given = Set(entries.filter { $0.word != nil }.map(\.name))
        let needs = [
            ("--text", ["--text-gravity", "--text-size", "--text-color"]),
            ("--watermark", ["--watermark-size", "--watermark-gravity", "--watermark-opacity"]),
            ("--subtitles", ["--subtitle-encoding"]),
        ]
        for (other, options) in needs where !given.contains(other) {
            if let option = options.first(where: given.contains) {
                throw .usage("\(option) needs \(other).")
            }
        }
        if text?.isEmpty == true { throw .usage("--text is empty.") }
        if let subtitles, try Self.track(subtitles) != nil, subtitleEncoding != nil {
            throw .usage("--subtitle-encoding is for a file; the text of a track is in UTF-8.")
        }
    }

    /// The track that a word means, or nil for the name of a file.
    private static func track(_ word: String) throws(OptionError) -> TrackChoice? {
        do throws(WordError) {
            guard case .track(let choice) = try Words.subtitles.parse(word) else { return nil }
            return choice
        } catch {
            // Nothing is a file as well.
            if word.isEmpty { return nil }
            throw .usage(
                "A\(error.description.dropFirst()).", hint: "The file of this name is ./\(word).")
        }
    }

    /// Whether something is drawn, for which other libraries are loaded.
    package var isGiven: Bool { text != nil || watermark != nil || subtitles != nil }

    /// Each option, with its value as it is written.
    package var entries: [(name: String, word: String?)] {
        [
            ("--text", text), ("--text-gravity", textGravity.map(Words.place.text)),
            ("--text-size", textSize.map(Words.textSize.text)),
            ("--text-color", textColor.map(Words.color.text)), ("--watermark", watermark),
            ("--watermark-size", watermarkSize.map(Words.watermarkSize.text)),
            ("--watermark-gravity", watermarkGravity.map(Words.place.text)),
            ("--watermark-opacity", watermarkOpacity.map(Words.opacity.text)),
            ("--subtitles", subtitles), ("--subtitle-encoding", subtitleEncoding),
        ]
    }
}
