internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// `animate`: an animated thumbnail of one input.
struct AnimateJob: MediaJob {
    static let name = "animate"
    /// The formats of animations; PNG means APNG.
    static let formats = OutputFormat.animated + [.png]
    private static let rules = OutputTarget.Rules(
        thing: "thumbnail", formats: formats, usual: OutputFormat(rawValue: "webp"))

    /// The thumbnail; its type is that of the output.
    let thumbnail: AnimatedThumbnail
    let threads: Int
    let format: OutputFormat?
    var output: String?
    /// Whether the user expects silent video.
    let expectsSilence: Bool
    let isExplained: Bool
    var overwrite: OverwritePolicy
    let reading: Reading

    var key: String {
        let words = [
            "format=\(format?.rawValue ?? "by-name")", thumbnail.identifier,
            "plays=\(JobKey.plays(thumbnail.looping))",
            JobKey.encoding(thumbnail.encoding),
            "max-bytes=\(thumbnail.maxBytes.map(String.init) ?? "none")",
        ]
        return (words + JobKey.rendering(reading)).joined(separator: " ")
    }

    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        [try place(for: input, isAlone: isAlone).label]
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        let place = try place(for: input, isAlone: isAlone)
        try place.refuseExisting(overwrite)
        let opened = try await input.open(reading.wanting(thumbnail.edit.size, isSampling: true))
        var thumbnail = thumbnail(of: opened.sequence.info)
        thumbnail.type = place.format.type(isAnimation: true) ?? .webpAnimation
        thumbnail.edit = thumbnail.edit.named(input.address.name).matted(
            for: thumbnail.type, &thumbnail.encoding)
        let wanted = thumbnail
        let made = try await place.write(overwrite, failure: input.failure) {
            (sink) throws(MediaError) in
            let write = { @Sendable (bytes: [UInt8]) throws(MediaError) in
                try sink.write(bytes)
            }
            return try await wanted.write(
                opened.sequence, encoders: .standard, threads: threads(isAlone: isAlone),
                to: write, progress: progress)
        }
        return report(made, opened, place, input)
    }

    /// The thumbnail for a source: all of the pictures that the user listed.
    private func thumbnail(of info: MediaInfo) -> AnimatedThumbnail {
        var thumbnail = thumbnail
        guard info.type == .pictures else { return thumbnail }
        thumbnail.keepsAllFrames = true
        let usual = AnimatedThumbnail()
        if thumbnail.edit.segments.isEmpty, thumbnail.length == usual.length,
            thumbnail.pieces == usual.pieces
        {
            thumbnail.edit.segments = [.zero..<ClipEdit.toTheEnd]
        }
        return thumbnail
    }

    private func place(for input: Input, isAlone: Bool) throws(CommandFailure) -> OutputTarget {
        let place = try OutputTarget(
            output, for: input, format: format, Self.rules, isAlone: isAlone)
        try place.refuse(thumbnail.encoding)
        try place.refuse(matte: thumbnail.edit.matte, loop: nil, sound: nil)
        return place
    }

    private func report(
        _ made: AnimatedThumbnail.Report, _ opened: OpenedInput, _ place: OutputTarget,
        _ input: Input
    ) -> JobReport {
        var warnings = opened.sequence.info.warnings + made.warnings
        if let sound = warnings.firstIndex(where: { $0.code == .soundDropped }) {
            let warning = warnings.remove(at: sound)
            if !expectsSilence { warnings.insert(warning, at: 0) }
        }
        var made = made
        var extent = "\(made.frameCount) frames in \(made.duration.inSeconds)"
        if made.warnings.contains(where: { $0.code == .isStill }) {
            made.type = place.format.type(isAnimation: false) ?? made.type
            extent = "1 frame"
        }
        return JobReport(
            outputs: [place.label], byteCount: made.byteCount, frameCount: made.frameCount,
            json: Reports.thumbnail(
                made, place, input, warnings, isExplained: isExplained, opened.transfer),
            text:
                "\(place.label): \(made.size), \(extent), \(ByteSize.text(made.byteCount))",
            warnings: warnings,
            answer: isExplained ? Reports.explanation(made.choice) : "")
    }
}

extension Reports {
    /// The report of `animate`.
    static func thumbnail(
        _ made: AnimatedThumbnail.Report, _ place: OutputTarget, _ input: Input,
        _ warnings: [MediaWarning], isExplained: Bool, _ transfer: Transfer?
    ) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("input", .name(input.label)),
            ("output", .name(place.label)),
            ("format", .string(place.format.rawValue)),
            ("type", .string(made.type.name)),
            ("width", .integer(made.size.width)),
            ("height", .integer(made.size.height)),
            ("frames", .integer(made.frameCount)),
            ("durationUs", .integer(made.duration.microseconds)),
            ("plays", .integer(made.loop.plays)),
            ("bytes", .integer(made.byteCount)),
            ("reason", .string(made.choice.reason.rawValue)),
            ("segments", .array(made.edit.segments.map { segment($0, in: made) })),
            ("quality", made.encoding.quality.map { .number($0) } ?? .null),
            ("fps", rate(of: made)),
            ("encodes", .integer(made.encodes)),
        ]
        if isExplained {
            members.append(("candidates", .array(made.choice.candidates.map(candidate))))
        }
        if let transfer { members.append(("transfer", self.transfer(transfer))) }
        members.append(("warnings", warnings.value))
        return .object(members)
    }

    /// `animate --explain`: a line per candidate segment, with a mark at the selected ones.
    static func explanation(_ choice: SegmentChoice) -> String {
        switch choice.reason {
        case .given: return "The segments are those requested.\n"
        case .whole: return "The clip is short and used completely.\n"
        case .best, .loop: break
        }
        let head = ["from s", "to s", "score", "picture", "motion", "steady", "uncut", "unfaded"]
        let rows = choice.candidates.map { piece in
            let score = piece.score
            let numbers = [
                score.total, score.picture, score.motion, score.steadiness, score.unity,
                score.constancy,
            ]
            let times = [piece.range.lowerBound, piece.range.upperBound].map {
                thousandths($0 / .seconds(1))
            }
            let mark = piece.isChosen ? choice.reason == .loop ? " * loops" : " *" : ""
            return (times + numbers.map { thousandths($0) }).columns(9) + mark
        }
        return ([head.columns(9)] + rows).map { $0 + "\n" }.joined()
    }

    /// The frame rate of the thumbnail, or that of the source.
    private static func rate(of made: AnimatedThumbnail.Report) -> JSONValue {
        let seconds = made.duration / .seconds(1)
        let own = seconds > 0 ? Double(made.frameCount) / seconds : nil
        return (made.edit.frameRate?.doubleValue ?? own).map { .number(rounded($0)) } ?? .null
    }

    private static func segment(
        _ segment: Range<Duration>, in made: AnimatedThumbnail.Report
    ) -> JSONValue {
        let isOpen = segment.upperBound >= ClipEdit.toTheEnd
        return .object([
            ("startUs", .integer(segment.lowerBound.microseconds)),
            ("endUs", isOpen ? .null : .integer(segment.upperBound.microseconds)),
        ])
    }

    private static func candidate(_ piece: SegmentChoice.Candidate) -> JSONValue {
        .object([
            ("startUs", .integer(piece.range.lowerBound.microseconds)),
            ("endUs", .integer(piece.range.upperBound.microseconds)),
            ("score", .number(rounded(piece.score.total))),
            ("picture", .number(rounded(piece.score.picture))),
            ("motion", .number(rounded(piece.score.motion))),
            ("steadiness", .number(rounded(piece.score.steadiness))),
            ("unity", .number(rounded(piece.score.unity))),
            ("constancy", .number(rounded(piece.score.constancy))),
            ("chosen", .bool(piece.isChosen)),
        ])
    }

    private static func rounded(_ number: Double) -> Double { (number * 10_000).rounded() / 10_000 }

    private static func thousandths(_ number: Double) -> String {
        let value = Int(saturating: number * 1000)
        return "\(value / 1000).\(String(value % 1000).padded(to: 3))"
    }
}
