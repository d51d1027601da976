internal import LazyBase

extension Rendition.Report {
    /// The JSON schema of reports and of the facts of a file, draft 2020-12: what `--json` of the commands prints of one input.
    ///
    /// Members that name files are there only where there are files; those of `info --frames` and of `--explain` only then.
    /// Later versions may add members, and no schema of them is broken by that.
    public static var jsonSchema: String { schema(isClosed: false) }

    /// The schema; a closed one allows no other members.
    package static func schema(isClosed: Bool) -> String {
        let kinds: [(String, [Shape.Member])] = [
            ("facts", []), ("poster", poster), ("animation", moving + animation),
            ("conversion", moving + conversion), ("loop", moving), ("sheet", sheet),
            ("frames", moving),
        ]
        let reports = kinds.map { kind, own in Shape.object(common(to: kind) + own) }
        return JSONValue.object([
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("Report")),
            ("oneOf", .array((reports + [.object(facts)]).map { $0.schema(isClosed) })),
        ]).text
    }

    private static func common(to kind: String) -> [Shape.Member] {
        [
            .optional("input", .text), .optional("inputBytes", .text), .optional("output", .text),
            .optional("outputBytes", .text), .always("type", .null(or: .text)),
            .always("width", .null(or: .count)), .always("height", .null(or: .count)),
            .always("byteCount", .count), .always("frameCount", .null(or: .count)),
            .always("rendition", .other("as 'rendition.schema.json' says", ["kind": kind])),
            .always(
                "parts",
                .array(
                    .object([
                        .always("part", .text), .optional("file", .text),
                        .optional("fileBytes", .text), .always("type", .text),
                        .always("byteCount", .count),
                    ]))), .optional("transfer", transfer), .always("warnings", warnings),
        ]
    }

    private static let moving: [Shape.Member] = [
        .always("durationUs", .null(or: .integer)), .always("loop", .null(or: loop)),
    ]

    private static let poster: [Shape.Member] = [
        .always("index", .null(or: .count)), .always("ptsUs", .null(or: .integer)),
        .optional(
            "candidates",
            candidates(
                [.always("index", .count), .always("ptsUs", .integer)],
                scores: ["score", "brightness", "variety", "sharpness", "contrast", "coverage"])),
    ]

    private static let animation: [Shape.Member] = [
        .always("reason", .text),
        .always(
            "segments",
            .array(
                .object([
                    .always("startUs", .integer), .always("endUs", .null(or: .integer)),
                ]))), .always("quality", .null(or: .number)), .always("fps", .null(or: .number)),
        .always("encodeCount", .count),
        .optional(
            "candidates",
            candidates(
                [
                    .always("startUs", .integer), .always("endUs", .integer),
                    .always("chosen", .boolean),
                ], scores: ["score", "picture", "motion", "steadiness", "unity", "constancy"])),
    ]

    private static let conversion: [Shape.Member] = [
        .always("encoder", .text), .always("sourceByteCount", .null(or: .count)),
        .always("content", .null(or: .text)), .always("sound", .null(or: .text)),
        .always(
            "choices",
            .array(
                .object([
                    .always("subject", .text), .always("decision", .text),
                    .always("reason", .text),
                ]))),
    ]

    private static let sheet: [Shape.Member] = [
        .always("durationUs", .integer), .always("tileWidth", .count),
        .always("tileHeight", .count), .always("columns", .count), .always("pageCount", .count),
        .always("intervalUs", .integer),
    ]

    private static let loop = Shape.object([
        .always("raw", .null(or: .integer)), .always("plays", .null(or: .integer)),
    ])

    private static let transfer = Shape.object([
        .always("from", .text), .always("byteCount", .count),
        .always("totalByteCount", .null(or: .count)),
    ])

    private static let warnings = Shape.array(
        .object([.always("code", .text), .always("message", .text)]))

    private static func candidates(_ members: [Shape.Member], scores: [String]) -> Shape {
        .array(.object(members + scores.map { .always($0, .number) }))
    }

    // MARK: - The facts of a file

    private static let facts: [Shape.Member] =
        [
            .optional("input", .text), .optional("inputBytes", .text), .always("type", .text),
            .always("codec", .text), .always("width", .null(or: .count)),
            .always("height", .null(or: .count)), .always("frameCount", .null(or: .count)),
            .optional("estimatedFrameCount", .count),
            .always("durationUs", .null(or: .integer)), .always("startUs", .integer),
            .always("loop", loop), .always("hasAlpha", .boolean), .always("rotation", .integer),
            .always("pixelAspect", .text), .always("color", color),
            .always("bitDepth", .null(or: .count)),
            .always("pixelFormat", .null(or: .text)), .always("fieldOrder", .text),
            .always("bitRate", .null(or: .count)),
        ]
        + ["title", "artist", "album", "date", "copyright", "comment", "location", "device"].map {
            .always($0, .null(or: .text))
        } + [
            .always("byteCount", .null(or: .count)), .always("truncated", .boolean),
            .always("warnings", warnings), .always("streams", .array(stream)),
            .always(
                "chapters",
                .array(
                    .object([
                        .always("startUs", .integer), .always("endUs", .integer),
                        .always("title", .null(or: .text)),
                    ]))), .always("motion", .null(or: motion)),
            .optional("frames", .array(frame)), .optional("transfer", transfer),
        ]

    private static let color = Shape.object([
        .always("primaries", .text), .always("transfer", .text), .always("matrix", .text),
        .always("range", .null(or: .text)), .always("hdr", .null(or: .text)),
        .optional(
            "profile",
            .object([
                .always("name", .null(or: .text)), .always("space", .text),
                .always("version", .text),
            ])), .optional("gamma", .number), .optional("masteringMaximum", .number),
        .optional("masteringMinimum", .number), .optional("maxCLL", .count),
        .optional("maxFALL", .count),
    ])

    private static let stream = Shape.object([
        .always("index", .integer), .always("kind", .text), .always("codec", .text),
        .always("width", .null(or: .count)), .always("height", .null(or: .count)),
        .always("chosen", .boolean), .always("language", .null(or: .text)),
        .always("title", .null(or: .text)), .always("default", .boolean),
        .always("forced", .boolean),
        .always(
            "subtitles",
            .null(or: .object([.always("track", .count), .always("text", .boolean)]))),
    ])

    private static let motion = Shape.object([
        .always("kind", .text), .always("type", .text), .always("offset", .count),
        .always("byteCount", .count), .always("durationUs", .null(or: .integer)),
        .always("stillUs", .null(or: .integer)),
    ])

    private static let frame = Shape.object([
        .always("index", .count), .always("ptsUs", .integer), .always("durationUs", .integer),
        .always("rawDurationUs", .integer), .always("key", .boolean),
    ])
}

/// A part of a JSON schema.
private indirect enum Shape: Sendable {
    case text, boolean, integer, count, number
    case null(or: Shape)
    case array(Shape)
    case object([Member])
    /// An object that another schema describes, with the values of some texts.
    case other(String, [String: String])

    struct Member: Sendable {
        let name: String
        let shape: Shape
        let isRequired: Bool

        static func always(_ name: String, _ shape: Shape) -> Member {
            Member(name: name, shape: shape, isRequired: true)
        }
        static func optional(_ name: String, _ shape: Shape) -> Member {
            Member(name: name, shape: shape, isRequired: false)
        }
    }

    func schema(_ isClosed: Bool) -> JSONValue {
        switch self {
        case .text: Self.type("string")
        case .boolean: Self.type("boolean")
        case .integer: Self.type("integer")
        case .number: Self.type("number")
        case .count: Self.type("integer", [("minimum", .integer(0))])
        case .null(let shape):
            .object([("anyOf", .array([Self.type("null"), shape.schema(isClosed)]))])
        case .array(let item): Self.type("array", [("items", item.schema(isClosed))])
        case .other(let text, let values):
            Self.type(
                "object",
                [
                    ("description", .string(text)),
                    (
                        "properties",
                        .object(values.map { ($0, .object([("const", .string($1))])) })
                    ), ("required", .array(values.keys.map { .string($0) })),
                ])
        case .object(let members):
            Self.type(
                "object",
                [
                    ("properties", .object(members.map { ($0.name, $0.shape.schema(isClosed)) })),
                    (
                        "required",
                        .array(members.filter(\.isRequired).map { .string($0.name) })
                    ),
                ] + (isClosed ? [("additionalProperties", .bool(false))] : []))
        }
    }

    private static func type(_ name: String, _ more: [(String, JSONValue)] = []) -> JSONValue {
        .object([("type", .string(name))] + more)
    }
}
