internal import ArgumentParser
internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// What is drawn over every picture.
struct OverlayOptions: ParsableArguments {
    @Option("Write a text on every picture; {time}, {frame} and {name} are filled in.", as: "text")
    var text: String?

    @Option("Where the text is. Default: south-west.", Words.place, as: "place")
    var textGravity: Gravity?

    @Option(
        "The height of a line in percent of the picture's. Default: 6.",
        Words.textSize, as: "percent")
    var textSize: Double?

    @Option("The color of the text, as in CSS. Default: white.", Words.color, as: "color")
    var textColor: PixelColor?

    @Option("Draw a picture on every picture, at its own size.", as: "file", completion: .file())
    var watermark: String?

    @Option("Where the watermark is. Default: south-east.", Words.place, as: "place")
    var watermarkGravity: Gravity?

    @Option("How opaque the watermark is, 0 to 1. Default: 1.", Words.opacity, as: "share")
    var watermarkOpacity: Double?

    @Option(
        "Draw subtitles by the time of the source: those of a file (SubRip, WebVTT or ASS), or of a text track of the input itself: track, track:2, or track:deu for a language.",
        as: "file|track", completion: .file(extensions: ["srt", "vtt", "ass", "ssa"]))
    var subtitles: String?

    @Option(
        "The encoding of the file of --subtitles, as in 'iconv -l'. Default: by its mark, UTF-8, or a guess that is said.",
        as: "name",
        completion: .list([
            "UTF-8", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "ISO-8859-15",
            "KOI8-R", "GB18030", "BIG5", "SHIFT_JIS", "EUC-KR",
        ]))
    var subtitleEncoding: String?

    /// The overlays, the watermark below the texts; throws for contradictions and unreadable files.
    ///
    /// Files are opened where and within the limits that inputs are.
    func overlays(_ limits: LimitsChoice) throws(CommandFailure) -> [Overlay] {
        try check()
        var overlays: [Overlay] = []
        if let watermark { overlays.append(.picture(try Self.picture(watermark, self, limits))) }
        if let subtitles {
            let overlay =
                if let choice = try Self.track(subtitles) { SubtitleOverlay(track: choice) } else {
                    try Self.subtitleFile(subtitles, subtitleEncoding, limits)
                }
            overlays.append(.subtitles(overlay))
        }
        return overlays + texts
    }

    /// The overlays with the names and digests of files in place of what is in them.
    func asked() throws(CommandFailure) -> [Overlay] {
        var overlays: [Overlay] = []
        if let watermark {
            overlays.append(
                Self.named(
                    watermark,
                    .picture(
                        gravity: watermarkGravity ?? .southEast, opacity: watermarkOpacity ?? 1)))
        }
        if let subtitles {
            let track = try Self.track(subtitles)
            overlays.append(
                track.map { .subtitles(SubtitleOverlay(track: $0)) }
                    ?? Self.named(subtitles, .subtitles(encoding: subtitleEncoding)))
        }
        return overlays + texts
    }

    private static func named(_ path: String, _ use: Overlay.File.Use) -> Overlay {
        .file(Overlay.File(path, use, sha256: Digest.content(path)?.hex))
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
    func check() throws(CommandFailure) {
        let given = Set(entries.filter { $0.word != nil }.map(\.name))
        let needs = [
            ("--text", ["--text-gravity", "--text-size", "--text-color"]),
            ("--watermark", ["--watermark-gravity", "--watermark-opacity"]),
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

    /// The first picture of a file.
    private static func picture(
        _ path: String, _ options: OverlayOptions, _ limits: LimitsChoice
    ) throws(CommandFailure) -> PictureOverlay {
        let input = try file(path, "--watermark")
        do throws(MediaError) {
            let sequence = try input.sequence(limits)
            let reader = try sequence.makeReader(
                ReaderOptions(limits: sequence.limits, isSingleFrame: true))
            guard let frame = try reader.nextFrame() else {
                throw MediaError(.notFound, "\(path) has no picture.")
            }
            var overlay = PictureOverlay(
                frame.bitmap, gravity: options.watermarkGravity ?? .southEast,
                opacity: options.watermarkOpacity ?? 1)
            if sequence.info.type.family != .still, sequence.info.frameCount != 1 {
                overlay.warnings = [
                    MediaWarning(
                        .note, "The watermark \(path) moves, and only its first frame is drawn.")
                ]
            }
            return overlay
        } catch {
            throw input.failure(error)
        }
    }

    /// The track that a word means, or nil for the name of a file.
    private static func track(_ word: String) throws(CommandFailure) -> SubtitleChoice? {
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

    private static func subtitleFile(
        _ path: String, _ encoding: String?, _ limits: LimitsChoice
    ) throws(CommandFailure) -> SubtitleOverlay {
        let input = try file(path, "--subtitles")
        do throws(MediaError) {
            let bytes = try input.bytes(limits.limits(isLocal: input.isFile))
            try DecodingLimits(inputBytes: 20_000_000).check(inputBytes: bytes.count)
            return try SubtitleOverlay(
                bytes: try bytes.contiguous().withBytes { [UInt8]($0) }, encoding: encoding,
                fileName: path.lastName)
        } catch  where error.code == .unsupported {
            // What is read of media is of no help here.
            throw CommandFailure(.badData, error.code.rawValue, error.message).about(path)
        } catch {
            throw input.failure(error)
        }
    }

    private static func file(_ path: String, _ option: String) throws(CommandFailure) -> Input {
        guard let input = try Input.parse([path]).first, input.isFile else {
            throw .usage("\(option) needs the name of a file.")
        }
        return input
    }

    /// Whether something is drawn, for which other libraries are loaded.
    var isGiven: Bool { text != nil || watermark != nil || subtitles != nil }

    /// Each option, with its value as it is written.
    var entries: [(name: String, word: String?)] {
        [
            ("--text", text), ("--text-gravity", textGravity.map(Words.place.text)),
            ("--text-size", textSize.map(Words.textSize.text)),
            ("--text-color", textColor.map(Words.color.text)), ("--watermark", watermark),
            ("--watermark-gravity", watermarkGravity.map(Words.place.text)),
            ("--watermark-opacity", watermarkOpacity.map(Words.opacity.text)),
            ("--subtitles", subtitles), ("--subtitle-encoding", subtitleEncoding),
        ]
    }
}
