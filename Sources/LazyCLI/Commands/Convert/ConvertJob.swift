internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// `convert`: a clip in another format.
struct ConvertJob: MediaJob {
    static let name = "convert"
    static let formats = OutputFormat.media
    private static let rules = OutputTarget.Rules(
        thing: "conversion", formats: formats, usual: OutputFormat(rawValue: "webp"))

    var output: String?
    let format: OutputFormat?
    let edit: ClipEdit
    let options: EncodingOptions
    let threads: Int
    let loop: Looping?
    let undithering: Conversion.Undithering
    /// What becomes of the sound; nil is silence with a warning.
    let sound: Conversion.Sound?
    let isStill: Bool
    let allowsLarger: Bool
    let isExplained: Bool
    var overwrite: OverwritePolicy
    let reading: Reading

    var key: String {
        let ending = output.flatMap { FilePath.fileExtension(of: $0) }
        let words =
            [
                Self.name, format?.rawValue ?? ending ?? "-", edit.identifier,
                JobKey.encoding(options), "loop=\(loop.map(JobKey.plays) ?? "source")",
                "undither=\(undithering.rawValue)", isStill ? "still" : "all",
                allowsLarger ? "any" : "smaller",
            ] + (sound == .copy ? ["sound"] : [])
        return (words + JobKey.rendering(reading)).joined(separator: " ")
    }

    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        [try file(for: input, isAlone: isAlone).label]
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        let file = try file(for: input, isAlone: isAlone)
        try file.refuseExisting(overwrite)
        let opened = try await input.open(reading.wanting(edit.size))
        var conversion = try conversion(
            to: file, of: opened.sequence, named: input.address.name)
        if conversion.onlyConverts, !allowsLarger,
            Self.isMeantToShrink(opened.sequence.info.type, to: conversion.type)
        {
            conversion.maxBytes = opened.byteCount
        }
        let wanted = conversion
        var report = try await file.write(
            overwrite, isHeldBack: wanted.maxBytes != nil,
            failure: { failure($0, input, file, opened) }
        ) { (output) throws(MediaError) in
            try await wanted.run(
                opened.sequence, encoders: .standard, threads: threads(isAlone: isAlone),
                sourceByteCount: opened.byteCount, progress: progress
            ) { (bytes) throws(MediaError) in try output.write(bytes) }
        }
        if sound != nil { report.warnings.removeAll { $0.code == .soundDropped } }
        return jobReport(report, input, file)
    }

    private func file(
        for input: Input, isAlone: Bool
    ) throws(CommandFailure) -> OutputTarget {
        let file = try OutputTarget(
            output, for: input, format: format, Self.rules, isAlone: isAlone)
        try file.refuse(options)
        try file.refuse(matte: edit.matte, loop: loop, sound: sound)
        return file
    }

    /// Whether a larger file is refused: within a family, and for GIFs as videos.
    ///
    /// A video as GIF is expected to be larger.
    private static func isMeantToShrink(_ source: MediaType, to target: MediaType) -> Bool {
        source.family == .still || source.family == target.family
            || source == .gif && target.family == .video
    }

    private func conversion(
        to file: OutputTarget, of sequence: FrameSequence, named name: String
    ) throws(CommandFailure) -> Conversion {
        // PNG means a still here, not APNG.
        guard let type = file.format.type else {
            throw .usage("Clips cannot be written as \(file.format.rawValue).")
        }
        var options = options
        let edit = edit.named(name).matted(for: type, &options)
        var conversion = Conversion(
            to: type, options: options, edit: edit,
            loop: loop?.written(for: sequence.info.loop), undithering: undithering,
            isStill: isStill)
        conversion.sound = sound ?? .none
        return conversion
    }

    private func failure(
        _ error: MediaError, _ input: Input, _ file: OutputTarget, _ opened: OpenedInput
    ) -> CommandFailure {
        if error.excess?.limit == "maxBytes" {
            let size = opened.byteCount.map { ", which has \(ByteSize.text($0))" } ?? ""
            return CommandFailure(
                .cannotCreate, "larger",
                "\(file.label) would be larger than \(input.label)\(size); nothing was written.",
                hint: "Write it anyway with '--allow-larger'."
            ).about(input.label)
        }
        if error.code == .isAnimation {
            let hint = "Select an image with 'lazyimg poster', use the first with '--still'"
            let moving = file.format == .png ? ", or write all with '--format apng'." : "."
            return CommandFailure(
                .badData, error.code.rawValue, error.message, hint: hint + moving
            ).about(input.label)
        }
        if error.code == .notWritable, opened.sequence.info.type.family == .still {
            return CommandFailure(
                .badData, error.code.rawValue, error.message,
                hint: "A still can be written as \(OutputFormat.words(OutputFormat.picture))."
            ).about(input.label)
        }
        return input.failure(error)
    }

    private func jobReport(
        _ report: ConversionReport, _ input: Input, _ file: OutputTarget
    ) -> JobReport {
        JobReport(
            outputs: [file.label], byteCount: report.byteCount, frameCount: report.frameCount,
            json: Reports.conversion(report, input: input.label, output: file.label),
            text: Reports.gain(report, input: input.label, output: file.label),
            warnings: report.warnings, answer: isExplained ? Reports.explanation(report) : "")
    }
}

extension Reports {
    /// `clip.gif 18.8 MB → clip.mp4 1.1 MB, 5.8 %, 125 frames, 5.0 s`.
    static func gain(_ report: ConversionReport, input: String, output: String) -> String {
        let before = report.sourceByteCount.map { " " + ByteSize.text($0) } ?? ""
        let share = report.share.map { ", \(percent($0))" } ?? ""
        let frames = report.frameCount == 1 ? "1 frame" : "\(report.frameCount) frames"
        let name = output == "-" ? "standard output" : output
        return "\(input)\(before) → \(name) \(ByteSize.text(report.byteCount))\(share), \(frames)"
            + (report.frameCount > 1 ? ", \(tenths(report.duration)) s" : "")
    }

    /// `convert --json`.
    static func conversion(
        _ report: ConversionReport, input: String, output: String
    ) -> JSONValue {
        .object([
            ("input", .name(input)),
            ("output", .name(output)),
            ("type", .string(report.type.name)),
            ("encoder", .string(report.encoder)),
            ("width", .integer(report.size.width)),
            ("height", .integer(report.size.height)),
            ("frames", .integer(report.frameCount)),
            ("durationUs", .integer(report.duration.microseconds)),
            ("plays", .integer(report.carriesLoop ? report.loop.plays : nil)),
            ("carriesPlays", .bool(report.carriesLoop)),
            ("sourceBytes", .integer(report.sourceByteCount)),
            ("bytes", .integer(report.byteCount)),
            ("content", .string(orNull: report.kind?.rawValue)),
            ("sound", .string(orNull: report.sound?.rawValue)),
            (
                "choices",
                .array(
                    report.choices.map { choice in
                        .object([
                            ("subject", .string(choice.subject)),
                            ("decision", .string(choice.decision)),
                            ("reason", .string(choice.reason)),
                        ])
                    })
            ),
            ("warnings", report.warnings.value),
        ])
    }

    /// `convert --explain`: a line per choice.
    static func explanation(_ report: ConversionReport) -> String {
        var lines = ["\(report.type.name) by \(report.encoder), \(report.size)"]
        if let kind = report.kind { lines.append("content: \(kind.rawValue)") }
        lines += report.choices.map { "\($0.subject): \($0.decision), \($0.reason)" }
        lines += report.warnings.map { "warning: \($0.message)" }
        return lines.map { $0 + "\n" }.joined()
    }

    /// `5.8 %`.
    static func percent(_ share: Double) -> String {
        let tenths = Int((min(share, 1e6) * 1000).rounded())
        return tenths >= 1000
            ? "\((tenths + 5) / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }

    /// `5.0`, to a tenth.
    static func tenths(_ duration: Duration) -> String {
        let tenths = duration.ticks(perSecond: 10, .nearest)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
