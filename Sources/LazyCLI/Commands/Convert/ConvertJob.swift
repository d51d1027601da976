internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// `convert`: a clip in another format.
struct ConvertJob: RenditionJob {
    static let name = "convert"
    static let formats = OutputFormat.media
    private static let rules = OutputTarget.Rules(
        thing: "conversion", formats: formats, usual: OutputFormat(rawValue: "webp"))

    var output: String?
    let format: OutputFormat?
    let rendition: Rendition
    let edit: ClipEdit
    let threads: Int
    let isExplained: Bool
    var overwrite: OverwritePolicy
    let reading: Reading

    private var conversion: Rendition.Conversion {
        if case .conversion(let conversion) = rendition.kind { conversion } else { .init() }
    }

    /// The format that the name of an output says; its own is in the rendition.
    var moreKey: [String] {
        guard format == nil, let output else { return [] }
        return ["name=\(FilePath.fileExtension(of: output) ?? "-")"]
    }

    var earlierKeys: [String] {
        let ending = output.flatMap { FilePath.fileExtension(of: $0) }
        return EarlierKeys.forms(of: edit).map {
            EarlierKeys.conversion(
                format: format?.rawValue ?? ending ?? "-", rendition, conversion, $0, reading)
        }
    }

    func names(for input: Input, isAlone: Bool) throws(CommandFailure) -> PartNames {
        let target = try OutputTarget(
            output, for: input, format: format, Self.rules, isAlone: isAlone)
        try target.refuse(rendition.output.encoding)
        try target.refuse(matte: edit.matte, loop: conversion.looping, sound: conversion.sound)
        return PartNames(target)
    }

    func failure(
        _ error: MediaError, _ input: Input, _ opened: OpenedInput, _ target: OutputTarget
    ) -> CommandFailure {
        if error.excess?.limit == "sourceBytes" {
            let size = opened.byteCount.map { ", which has \(ByteSize.text($0))" } ?? ""
            return CommandFailure(
                .cannotCreate, "larger",
                "\(target.label) would be larger than \(input.label)\(size); nothing was written.",
                hint: "Write it anyway with '--allow-larger'."
            ).about(input.label)
        }
        let hint: String
        if error.code == .isAnimation {
            let moving = target.format == .png ? ", or write all with '--format apng'." : "."
            hint = "Select an image with 'lazyimg poster', use the first with '--still'" + moving
        } else if error.code == .notWritable, opened.frames.info.type.family == .still {
            let size = opened.frames.info.size
            let formats = OutputFormat.picture(side: max(size.width, size.height))
            hint = "A still can be written as \(OutputFormat.words(formats))."
        } else {
            return input.failure(error)
        }
        return CommandFailure(.badData, error.code.rawValue, error.message, hint: hint)
            .about(input.label)
    }

    func text(_ made: Rendition.Report, _ input: Input, _ target: OutputTarget) -> String {
        guard case .conversion(let conversion) = made.details else { return "" }
        return Reports.gain(made, conversion, input: input.label, output: target.label)
    }

    func answer(_ made: Rendition.Report) -> String {
        guard case .conversion(let conversion) = made.details else { return "" }
        return Reports.explanation(made, conversion)
    }
}

extension Reports {
    /// `clip.gif 18.8 MB → clip.mp4 1.1 MB, 5.8 %, 125 frames, 5.0 s`.
    static func gain(
        _ report: Rendition.Report, _ made: Rendition.Report.Conversion, input: String,
        output: String
    ) -> String {
        let before = made.sourceByteCount.map { " " + ByteSize.text($0) } ?? ""
        let share = made.sourceByteCount.map {
            ", \(percent(Double(report.byteCount) / Double(max(1, $0))))"
        }
        let count = report.frameCount ?? 0
        let frames = count == 1 ? "1 frame" : "\(count) frames"
        let name = output == "-" ? "standard output" : output
        return
            "\(input)\(before) → \(name) \(ByteSize.text(report.byteCount))\(share ?? ""), \(frames)"
            + (count > 1 ? ", \(tenths(report.duration ?? .zero)) s" : "")
    }

    /// `convert --explain`: a line per choice.
    static func explanation(
        _ report: Rendition.Report, _ made: Rendition.Report.Conversion
    ) -> String {
        // Without parts nothing was made.
        let type = report.parts.first.map { $0.type.name + " " } ?? ""
        var lines = ["\(type)by \(made.encoder), \(report.size)"]
        if let kind = made.kind { lines.append("content: \(kind.rawValue)") }
        lines += made.choices.map { "\($0.subject): \($0.decision), \($0.reason)" }
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
