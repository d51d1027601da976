internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// `animate`: an animated thumbnail of one input.
struct AnimateJob: RenditionJob {
    static let name = "animate"
    /// The formats of animations; PNG means APNG.
    static let formats = OutputFormat.animated + [.png]
    private static let rules = OutputTarget.Rules(
        thing: "thumbnail", formats: formats, usual: OutputFormat(rawValue: "webp"))

    let rendition: Rendition
    let edit: ClipEdit
    let threads: Int
    let format: OutputFormat?
    var output: String?
    /// Whether the user expects silent video.
    let expectsSilence: Bool
    let isExplained: Bool
    var overwrite: OverwritePolicy
    let reading: Reading

    var earlierKeys: [String] {
        EarlierKeys.forms(of: edit).map {
            EarlierKeys.animation(format: format, rendition, $0, reading)
        }
    }

    func names(for input: Input, isAlone: Bool) throws(CommandFailure) -> PartNames {
        let target = try OutputTarget(
            output, for: input, format: format, Self.rules, isAlone: isAlone)
        try target.refuse(rendition.output.encoding)
        try target.refuse(matte: edit.matte, loop: nil, sound: nil)
        return PartNames(target)
    }

    func report(
        _ made: Rendition.Report, _ input: Input, _ target: OutputTarget,
        _ files: [(Rendition.Part, String)], _ opened: OpenedInput, isAlone: Bool
    ) -> JobReport {
        var made = made
        if expectsSilence { made.warnings.removeAll { $0.code == .soundDropped } }
        return plainReport(made, input, target, files, opened, isAlone: isAlone)
    }

    func text(_ made: Rendition.Report, _ input: Input, _ target: OutputTarget) -> String {
        let isStill = made.warnings.contains { $0.code == .isStill }
        let length = (made.duration ?? .zero).inSeconds
        let count = made.frameCount ?? 0
        let frames = isStill || count == 1 ? "1 frame" : "\(count) frames"
        let extent = isStill ? frames : "\(frames) in \(length)"
        return "\(target.label): \(made.size), \(extent), \(ByteSize.text(made.byteCount))"
    }

    func answer(_ made: Rendition.Report) -> String {
        guard case .animation(let animation) = made.details else { return "" }
        return Reports.explanation(animation.choice)
    }
}

extension Reports {
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

    private static func thousandths(_ number: Double) -> String {
        let value = Int(saturating: number * 1000)
        return "\(value / 1000).\(String(value % 1000).padded(to: 3))"
    }
}
