internal import LazyBase
internal import LazyEditing
internal import LazyMedia

/// In JSON an overlay has one of the members `text`, `watermark` and `subtitles`, which says what it is.
extension Overlay {
    /// The overlay in JSON.
    var json: JSONValue {
        switch self {
        case .text(let text): .object(TextOverlay.fields.members(of: text))
        case .file(let file): .object(Overlay.File.fields(of: file.use).members(of: file))
        case .subtitles(let subtitles):
            .object([("subtitles", .string(subtitles.track?.description ?? subtitles.identifier))])
        case .picture(let picture): .object([("watermark", .string(picture.identifier))])
        }
    }

    /// Reads an overlay.
    init(json: JSONValue) throws(WordError) {
        let members = try json.members()
        let kind = members.map(\.0).first { ["text", "watermark", "subtitles"].contains($0) }
        switch kind {
        case "text":
            var text = TextOverlay("")
            try TextOverlay.fields.read(json, into: &text)
            self = .text(text)
        case "watermark":
            var file = Overlay.File("", .picture())
            try Overlay.File.fields(of: file.use).read(json, into: &file)
            self = .file(file)
        case "subtitles":
            if case .string(let word)? = members.first(where: { $0.0 == "subtitles" })?.1 {
                guard case .track(let choice) = try Words.subtitles.parse(word) else {
                    throw WordError(Words.subtitles.expected, given: word)
                }
                self = .subtitles(SubtitleOverlay(track: choice))
                return
            }
            var file = Overlay.File("", .subtitles())
            try Overlay.File.fields(of: file.use).read(json, into: &file)
            self = .file(file)
        default:
            throw WordError("an overlay has a text, a watermark or subtitles", given: json.line)
        }
    }

    /// A JSON schema of a list of overlays.
    static var schema: JSONValue {
        let kinds = [
            TextOverlay.fields.schema(), Overlay.File.fields(of: .picture()).schema(),
            Overlay.File.fields(of: .subtitles()).schema(),
        ]
        return .object([
            ("type", .string("array")), ("items", .object([("anyOf", .array(kinds))])),
        ])
    }
}

extension TextOverlay {
    static let fields: [Field<TextOverlay>] = [
        Field(
            name: "text",
            summary:
                "The text; {time}, {clock}, {frame} and {name} stand for the frame's and the input's.",
            schema: { .object([("type", .string("string")), ("minLength", .integer(1))]) },
            write: { .string($0.template) },
            read: { (overlay, json) throws(WordError) in
                overlay.template = try json.text()
                if overlay.template.isEmpty { throw WordError("a text is not empty", given: "") }
            }),
        Field("gravity", \.gravity, unless: .southWest, Words.place, "Where it is."),
        Field("textSize", \.percent, unless: 6, Words.textSize, "The height of a line in percent."),
        Field("color", \.color, unless: .white, Words.color, "The color of the letters."),
        Field(
            "box", \.box, unless: TextOverlay("").box, boxColor,
            "The color of the box behind them, or none."),
    ]

    private static let boxColor = Grammar<PixelColor?>(
        "\(Words.color.expected), or none", words: ["none"], shape: "none|\(Words.color.shape)",
        samples: ["none"] + Words.color.samples,
        read: { (text) throws(WordError) in
            text == "none" ? .some(nil) : try Words.color.parse(text)
        }, print: { $0.map(Words.color.text) ?? "none" })

    fileprivate var percent: Double {
        get { height * 100 }
        set { height = newValue / 100 }
    }
}

extension Overlay.File {
    static func fields(of use: Use) -> [Field<Overlay.File>] {
        switch use {
        case .picture:
            [
                file("watermark", "The file of the picture.") { members.schema() },
                Field(
                    "size", \.percent, Words.watermarkSize,
                    "Its width in percent of the picture's."),
                Field("gravity", \.gravity, unless: .southEast, Words.place, "Where it is."),
                Field("opacity", \.opacity, unless: 1, Words.opacity, "How opaque it is."),
                Field("margin", \.margin, unless: 0, Words.distance, "Pixels to the edge."),
            ]
        case .subtitles:
            [
                file("subtitles", "The file, or a track of the media: track, track:2, track:deu.") {
                    .object([("anyOf", .array([Words.subtitles.schema, members.schema()]))])
                },
                Field(
                    name: "encoding", summary: "The encoding of the file, by iconv's name.",
                    schema: { text },
                    write: { file in file.encoding.map { .string($0) } },
                    read: { (file, json) throws(WordError) in file.encoding = try json.text() }),
            ]
        }
    }

    fileprivate var percent: Double? {
        get { size.map { $0 * 100 } }
        set { size = newValue.map { $0 / 100 } }
    }

    private static func file(
        _ name: String, _ summary: String, schema: @escaping @Sendable () -> JSONValue
    ) -> Field<Overlay.File> {
        Field(
            name: name, summary: summary, schema: schema,
            write: { .object(members.members(of: $0)) },
            read: { (file, json) throws(WordError) in try members.read(json, into: &file) })
    }

    private static let text = JSONValue.object([("type", .string("string"))])

    private static let members: [Field<Overlay.File>] = [
        Field(
            name: "file", summary: "Its name.", schema: { text },
            write: { .name($0.name) },
            read: { (file, json) throws(WordError) in file.name = try json.text() }),
        Field(
            name: "sha256", summary: "The digest of its bytes, which is checked where it is given.",
            schema: {
                .object([
                    ("type", .string("string")), ("pattern", .string("^[0-9A-Fa-f]{64}$")),
                ])
            },
            write: { file in file.sha256.map { .string($0) } },
            read: { (file, json) throws(WordError) in
                let text = try json.text()
                guard text.utf8.count == 64, text.utf8.allSatisfy({ $0.hexadecimalValue != nil })
                else {
                    throw WordError("a digest has 64 hexadecimal digits", given: text)
                }
                file.sha256 = text.lowercased()
            }),
    ]
}
