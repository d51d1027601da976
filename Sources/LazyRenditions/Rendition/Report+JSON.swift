package import LazyBase
internal import LazyMedia

extension Rendition.Report {
    /// The report in JSON.
    ///
    /// Members of every kind: `type`, `width`, `height`, `byteCount`, `frameCount`, `parts`, `rendition`, `warnings`.
    /// Numbers of things are `…Count`, times `…Us`; a member of the kind is null where it is unknown. `rendition` is
    /// what was asked for; what was decided is beside it.
    public var json: String { value().line }

    /// The JSON in the making; `files` are the names of parts, and `isExplained` adds how a choice was made.
    package func value(
        input: String? = nil, files: [Rendition.Part: String] = [:],
        transfer: JSONValue? = nil, isExplained: Bool = false
    ) -> JSONValue {
        let main = parts.first
        var members: [(String, JSONValue)] = []
        if let input { members.append(("input", .name(input))) }
        if let file = main.flatMap({ files[$0.part] }) { members.append(("output", .name(file))) }
        members += [
            ("type", .string(orNull: main?.type.name)), ("width", .integer(size.width)),
            ("height", .integer(size.height)), ("byteCount", .integer(byteCount)),
            ("frameCount", .integer(frameCount)),
        ]
        members += details.members(isExplained: isExplained)
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

extension Rendition.Report.Details {
    fileprivate func members(isExplained: Bool) -> [(String, JSONValue)] {
        switch self {
        case .poster(let poster):
            let members: [(String, JSONValue)] = [
                ("index", .integer(poster.timing?.index)),
                ("ptsUs", .integer(poster.timing?.presentation.microseconds)),
            ]
            guard isExplained else { return members }
            return members + [("candidates", .array(poster.candidates.map(\.value)))]
        }
    }
}

extension PosterCandidate {
    fileprivate var value: JSONValue {
        let scores = [
            ("score", score.total), ("brightness", score.brightness), ("variety", score.variety),
            ("sharpness", score.sharpness), ("contrast", score.contrast),
            ("coverage", score.coverage),
        ].map { ($0, JSONValue.number(($1 * 10_000).rounded() / 10_000)) }
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
