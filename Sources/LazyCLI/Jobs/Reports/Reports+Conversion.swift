package import LazyBase
internal import LazyMedia
package import LazyPreviews

extension Reports {
    /// `clip.gif 18.8 MB → clip.mp4 1.1 MB, 5.8 %, 125 frames, 5.0 s`.
    package static func gain(_ report: ConversionReport, input: String, output: String) -> String {
        let before = report.sourceByteCount.map { " " + ByteSize.text($0) } ?? ""
        let share = report.share.map { ", \(percent($0))" } ?? ""
        let frames = report.frameCount == 1 ? "1 frame" : "\(report.frameCount) frames"
        let name = output == "-" ? "standard output" : output
        return "\(input)\(before) → \(name) \(ByteSize.text(report.byteCount))\(share), \(frames)"
            + (report.frameCount > 1 ? ", \(tenths(report.duration)) s" : "")
    }

    /// `convert --json`.
    package static func conversion(
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
            ("warnings", warnings(report.warnings)),
        ])
    }

    /// `convert --explain`: a line per choice.
    package static func explanation(_ report: ConversionReport) -> String {
        var lines = ["\(report.type.name) by \(report.encoder), \(report.size)"]
        if let kind = report.kind { lines.append("content: \(kind.rawValue)") }
        lines += report.choices.map { "\($0.subject): \($0.decision), \($0.reason)" }
        lines += report.warnings.map { "warning: \($0.message)" }
        return lines.map { $0 + "\n" }.joined()
    }

    /// `5.8 %`.
    package static func percent(_ share: Double) -> String {
        let tenths = Int((min(share, 1e6) * 1000).rounded())
        return tenths >= 1000
            ? "\((tenths + 5) / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }

    /// `5.0`, to a tenth.
    package static func tenths(_ duration: Duration) -> String {
        let tenths = duration.ticks(perSecond: 10, .nearest)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
