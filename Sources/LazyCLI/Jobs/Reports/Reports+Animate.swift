package import LazyBase
internal import LazyEditing
package import LazyMedia
package import LazyPreviews

extension Reports {
    /// The report of `animate`.
    package static func thumbnail(
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
        members.append(("warnings", self.warnings(warnings)))
        return .object(members)
    }

    /// `animate --explain`: a line per candidate segment, with a mark at the selected ones.
    package static func explanation(_ choice: SegmentChoice) -> String {
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
