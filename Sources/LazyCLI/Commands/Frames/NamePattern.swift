internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

/// The values of a pattern's fields for one frame.
struct NamedFrame {
    /// The running number, from `--start-number`.
    var number: Int
    /// The frame's number in the source.
    var index: Int
    var presentation: MediaTime
    var duration: MediaTime
    var size: PixelSize
    /// The input's name without folder and extension.
    var name: String
    /// The input's extension without the full stop.
    var fileExtension: String
    /// The input's number on the command line, from 1.
    var input: Int
}

/// A file name with fields for what differs between frames.
///
/// `%d` and `%05d` are the running number and `%%` is a percent sign; `{name}`, `{ext}`,
/// `{input}`, `{number}`, `{index}`, `{pts_ms}`, `{pts_us}`, `{duration_ms}`, `{width}` and
/// `{height}` are replaced, numbers with a width after a colon: `{index:06}`.
struct NamePattern: Equatable {
    private enum Piece: Equatable {
        case text(String)
        case field(Field, width: Int)
    }
    enum Field: String, CaseIterable {
        case name, ext, input, number, index, pts_ms, pts_us, duration_ms, width, height
    }
    private let pieces: [Piece]

    /// The default pattern: `frame-%05d.png`, or `{name}-%05d.png`.
    static func usual(isSingle: Bool, _ ending: String) -> NamePattern {
        NamePattern(pieces: [
            isSingle ? .text("frame") : .field(.name, width: 0), .text("-"),
            .field(.number, width: 5), .text(".\(ending)"),
        ])
    }

    private init(pieces: [Piece]) { self.pieces = pieces }

    /// Parses a pattern.
    init(_ text: String) throws(WordError) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let mark = rest.firstIndex(where: { $0 == "%" || $0 == "{" }) {
            if mark > rest.startIndex { pieces.append(.text(String(rest[..<mark]))) }
            rest = rest[mark...]
            pieces.append(
                try rest.first == "%" ? Self.takePercent(&rest) : Self.takeField(&rest))
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
        guard !text.contains("/"), !text.contains("\0"), !text.isEmpty else {
            throw WordError("it must be a file name without folders", given: text)
        }
    }

    /// The pattern in one form, for the keys of journals.
    var key: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .field(let field, let width): "{\(field.rawValue):\(width)}"
            }
        }.joined()
    }

    /// Whether names of an input's frames are unique.
    var tellsFramesApart: Bool { uses([.number, .index, .pts_ms, .pts_us]) }

    /// Whether names of different inputs are unique, if the inputs' names are or are not.
    func tellsInputsApart(byName: Bool) -> Bool {
        uses(byName ? [.name, .input] : [.input])
    }

    /// The text after the last full stop, if it contains no field.
    var fileExtension: String? {
        guard case .text(let text)? = pieces.last, let dot = text.lastIndex(of: ".") else {
            return nil
        }
        return String(text[text.index(after: dot)...])
    }

    private func uses(_ fields: Set<Field>) -> Bool {
        pieces.contains { piece in
            if case .field(let field, _) = piece { fields.contains(field) } else { false }
        }
    }

    /// The name for one frame.
    func callAsFunction(_ frame: NamedFrame) -> String {
        var name = ""
        for piece in pieces {
            switch piece {
            case .text(let text): name += text
            case .field(let field, let width):
                name += Self.value(of: field, frame).padded(to: width)
            }
        }
        // Those are folders, whatever the input is called.
        return ["", ".", ".."].contains(name) ? "_" + name : name
    }

    private static func value(of field: Field, _ frame: NamedFrame) -> String {
        switch field {
        case .name: frame.name
        case .ext: frame.fileExtension
        case .input: String(frame.input)
        case .number: String(frame.number)
        case .index: String(frame.index)
        case .pts_ms: String(frame.presentation.microseconds / 1000)
        case .pts_us: String(frame.presentation.microseconds)
        case .duration_ms: String(frame.duration.microseconds / 1000)
        case .width: String(frame.size.width)
        case .height: String(frame.size.height)
        }
    }

    private static func takePercent(_ rest: inout Substring) throws(WordError) -> Piece {
        let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        let end = rest[digits.endIndex...]
        if digits.isEmpty, end.first == "%" {
            rest = end.dropFirst()
            return .text("%")
        }
        guard end.first == "d", let width = width(digits) else {
            throw WordError(
                "% is followed by d, a width such as 05d, or another %", given: rest)
        }
        rest = end.dropFirst()
        return .field(.number, width: width)
    }

    private static func takeField(_ rest: inout Substring) throws(WordError) -> Piece {
        guard let close = rest.firstIndex(of: "}") else {
            throw WordError("a { has no }", given: rest)
        }
        let parts = rest[..<close].dropFirst().split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let known = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
        guard let field = parts.first.flatMap({ Field(rawValue: String($0)) }) else {
            throw WordError("the fields are \(known)", given: rest)
        }
        guard let width = width(parts.count == 2 ? parts[1] : "") else {
            throw WordError("a width is written as {index:06}", given: rest)
        }
        rest = rest[rest.index(after: close)...]
        return .field(field, width: width)
    }

    private static func width(_ digits: Substring) -> Int? {
        guard !digits.isEmpty else { return 0 }
        guard let width = Int(digits), (0...64).contains(width) else { return nil }
        return width
    }
}
