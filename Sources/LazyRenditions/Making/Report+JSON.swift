package import LazyBase
internal import LazyEditing
internal import LazyMedia

extension Rendition.Report {
    /// The report in JSON.
    ///
    /// Members of every kind: `type`, `width`, `height`, `byteCount`, `frameCount`, `parts`, `rendition`, `warnings`;
    /// of those that move also `durationUs` and `loop`.
    /// Numbers of things are `…Count`, times `…Us`; a member of the kind is null where it is unknown. `rendition` is
    /// what was asked for; what was decided is beside it.
    public var json: String { value().line }

    /// The JSON in the making; `files` are the names of parts, `output` is the name of all, and `isExplained` adds how a choice was made.
    package func value(
        input: String? = nil, output: String? = nil, files: [Rendition.Part: String] = [:],
        transfer: JSONValue? = nil, isExplained: Bool = false
    ) -> JSONValue {
        let main = parts.first
        let type = if case .frames(let frames) = details { frames.type } else { main?.type }
        var members: [(String, JSONValue)] = []
        if let input { members.append(("input", .name(input))) }
        if let file = output ?? main.flatMap({ files[$0.part] }) {
            members.append(("output", .name(file)))
        }
        members += [
            ("type", .string(orNull: type?.name)), ("width", .integer(size.width)),
            ("height", .integer(size.height)), ("byteCount", .integer(byteCount)),
            ("frameCount", .integer(frameCount)),
        ]
        if rendition.kind.isMoving {
            members += [
                ("durationUs", .integer(duration?.microseconds)), ("loop", loop.value),
            ]
        }
        members += details.members(of: self, isExplained: isExplained)
        members += [
            ("rendition", rendition.value),
            ("parts", .array(parts.map { $0.value(file: files[$0.part]) })),
        ]
        if let transfer { members.append(("transfer", transfer)) }
        return .object(members + [("warnings", warnings.value)])
    }
}

extension Rendition.Report.Made {
    fileprivate func value(file: String?) -> JSONValue {
        let name = file.map { [("file", JSONValue.name($0))] } ?? []
        return .object(
            [("part", .string(part.description))] + name + [
                ("type", .string(type.name)), ("byteCount", .integer(byteCount)),
            ])
    }
}

extension Rendition.Kind {
    /// Whether results have a duration and a number of plays.
    fileprivate var isMoving: Bool {
        switch self {
        case .animation, .conversion, .loop, .frames: true
        case .facts, .poster, .sheet: false
        }
    }
}

extension LoopCount? {
    /// The loop: what is in a file, and how often it plays, which is null forever; null where the file does not say.
    package var value: JSONValue {
        guard let loop = self else { return .null }
        return .object([("raw", .integer(loop.raw)), ("plays", .integer(loop.plays))])
    }
}

extension Rendition.Report.Details {
    fileprivate func members(
        of report: Rendition.Report, isExplained: Bool
    ) -> [(String, JSONValue)] {
        switch self {
        case .facts: return []
        case .poster(let poster):
            let members: [(String, JSONValue)] = [
                ("index", .integer(poster.timing?.index)),
                ("ptsUs", .integer(poster.timing?.presentation.microseconds)),
            ]
            guard isExplained else { return members }
            return members + [("candidates", .array(poster.candidates.map(\.value)))]
        case .animation(let animation): return animation.members(of: report, isExplained)
        case .conversion(let conversion): return conversion.members
        case .loop, .frames: return []
        case .sheet(let sheet): return sheet.members
        }
    }
}

extension Rendition.Report.Animation {
    fileprivate func members(
        of report: Rendition.Report, _ isExplained: Bool
    ) -> [(String, JSONValue)] {
        let members: [(String, JSONValue)] = [
            ("reason", .string(choice.reason.rawValue)),
            ("segments", .array(edit.segments.map(\.value))),
            ("quality", encoding.quality.map { .number($0) } ?? .null),
            ("fps", report.rate(edit.frameRate)), ("encodeCount", .integer(encodeCount)),
        ]
        guard isExplained else { return members }
        return members + [("candidates", .array(choice.candidates.map(\.value)))]
    }
}

extension Rendition.Report {
    /// The frame rate of an animation, or that of the source.
    fileprivate func rate(_ asked: Rational?) -> JSONValue {
        let seconds = (duration ?? .zero) / .seconds(1)
        let own = seconds > 0 ? frameCount.map { Double($0) / seconds } : nil
        return (asked?.doubleValue ?? own).map { .number($0.rounded4) } ?? .null
    }
}

extension Rendition.Report.Conversion {
    fileprivate var members: [(String, JSONValue)] {
        [
            ("encoder", .string(encoder)), ("sourceByteCount", .integer(sourceByteCount)),
            ("content", .string(orNull: kind?.rawValue)),
            ("sound", .string(orNull: sound?.rawValue)),
            (
                "choices",
                .array(
                    choices.map { choice in
                        .object([
                            ("subject", .string(choice.subject)),
                            ("decision", .string(choice.decision)),
                            ("reason", .string(choice.reason)),
                        ])
                    })
            ),
        ]
    }
}

extension Rendition.Report.Sheet {
    fileprivate var members: [(String, JSONValue)] {
        [
            ("durationUs", .integer(plan.duration.microseconds)),
            ("tileWidth", .integer(plan.tileSize.width)),
            ("tileHeight", .integer(plan.tileSize.height)), ("columns", .integer(plan.columns)),
            ("pageCount", .integer(plan.pages.count)),
            ("intervalUs", .integer(plan.interval.microseconds)),
        ]
    }
}

extension Range<Duration> {
    /// A part of a clip in JSON; it ends with the clip where the end is null.
    fileprivate var value: JSONValue {
        .object([
            ("startUs", .integer(lowerBound.microseconds)),
            ("endUs", upperBound >= ClipEdit.toTheEnd ? .null : .integer(upperBound.microseconds)),
        ])
    }
}

extension SegmentChoice.Candidate {
    fileprivate var value: JSONValue {
        let scores = [
            ("score", score.total), ("picture", score.picture), ("motion", score.motion),
            ("steadiness", score.steadiness), ("unity", score.unity),
            ("constancy", score.constancy),
        ].map { ($0, JSONValue.number($1.rounded4)) }
        return .object(
            [
                ("startUs", .integer(range.lowerBound.microseconds)),
                ("endUs", .integer(range.upperBound.microseconds)),
            ] + scores + [("chosen", .bool(isChosen))])
    }
}

extension Double {
    /// To four digits behind the point.
    fileprivate var rounded4: Double { (self * 10_000).rounded() / 10_000 }
}

extension PosterCandidate {
    fileprivate var value: JSONValue {
        let scores = [
            ("score", score.total), ("brightness", score.brightness), ("variety", score.variety),
            ("sharpness", score.sharpness), ("contrast", score.contrast),
            ("coverage", score.coverage),
        ].map { ($0, JSONValue.number($1.rounded4)) }
        return .object(
            [
                ("index", .integer(timing.index)),
                ("ptsUs", .integer(timing.presentation.microseconds)),
            ] + scores)
    }
}

extension [MediaWarning] {
    /// The warnings in JSON, each once.
    package var value: JSONValue {
        var seen: Set<MediaWarning> = []
        return .array(
            filter { seen.insert($0).inserted }.map { warning in
                .object([
                    ("code", .string(warning.code.rawValue)), ("message", .string(warning.message)),
                ])
            })
    }
}
