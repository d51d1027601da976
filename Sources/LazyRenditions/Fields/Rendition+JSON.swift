package import LazyBase

extension Rendition {
    /// The rendition in JSON: the words of all that was asked for.
    ///
    /// Files of overlays are named, with their digests; pictures and subtitles without a file only have a digest, and
    /// cannot be read again.
    public var json: String { value.line }

    /// Reads a rendition in JSON, of at most 64 kB.
    ///
    /// Throws for a member that is unknown and a value that is not as its words are. Files are not read: see
    /// `resolved(by:)`.
    public init(json text: some StringProtocol) throws(WordError) {
        guard let value = JSONValue(reading: Array(text.utf8)) else {
            throw WordError(
                "a rendition is an object of JSON with at most \(JSONValue.maxRead) bytes",
                given: text.prefix(40))
        }
        try self.init(value)
    }

    /// The JSON in the making.
    package var value: JSONValue {
        .object(
            [("kind", .string(kind.word))] + Self.fields(of: kind).members(of: self))
    }

    package init(_ value: JSONValue) throws(WordError) {
        let members = try value.members()
        let word = try members.first { $0.0 == "kind" }?.1.text() ?? ""
        guard let kind = Kind(word: word) else {
            throw WordError(
                "the kinds are \(Kind.words.joined(separator: ", "))", given: word,
                nearest: Suggestion.nearest(word, among: Kind.words))
        }
        self.init(kind)
        try Self.fields(of: kind).read(
            .object(members.filter { $0.0 != "kind" }), into: &self)
    }

    /// The JSON schema of renditions, draft 2020-12.
    public static var jsonSchema: String {
        let kinds = Kind.words.compactMap { Kind(word: $0) }.map { kind -> JSONValue in
            guard case .object(let members) = fields(of: kind).schema() else { return .null }
            return .object(
                members.map { name, value in
                    guard name == "properties", case .object(let properties) = value else {
                        return (name, value)
                    }
                    let const = JSONValue.object([("const", .string(kind.word))])
                    return (name, .object([("kind", const)] + properties))
                } + [("required", .array([.string("kind")]))])
        }
        return JSONValue.object([
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("Rendition")), ("oneOf", .array(kinds)),
        ]).text
    }
}
