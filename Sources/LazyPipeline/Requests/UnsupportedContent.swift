internal import LazyLoading
public import LazyMedia

/// Bytes without a decoder: what they look like, and the server's `Content-Type`.
public struct UnsupportedContent: Hashable, Sendable, CustomStringConvertible {
    /// What bytes of an unknown type look like by their first bytes.
    public enum Kind: String, CaseIterable, Sendable {
        /// An HTML page, such as a login page.
        case html
        /// An SVG image.
        case svg
        /// XML of another kind.
        case xml
        /// JSON, such as the error of a service.
        case json
        /// A PDF document.
        case pdf
        /// A ZIP or gzip archive.
        case archive
        /// Any other text.
        case text
        /// Anything else.
        case binary
    }

    /// The type by the bytes; `.unknown` if no decoder knows it.
    public let type: MediaType
    /// The server's `Content-Type`, or nil if there is none.
    public let contentType: String?
    /// The head of the response, if there was one.
    let head: ResponseHead?
    /// What bytes of an unknown type look like.
    public let kind: Kind
    /// What libmagic calls bytes of an unknown type, in one sentence, or nil.
    package let naming: String?

    /// How many of the first bytes are examined.
    private static let headSize = 1024

    /// Creates a description from the first bytes.
    public init(type: MediaType, contentType: String? = nil, head: [UInt8] = []) {
        self.type = type
        self.contentType = contentType.flatMap(Self.printable)
        kind = Self.kind(of: head)
        self.head = nil
        naming = nil
    }

    /// Creates a description from the first bytes of a source; blocks while they are read.
    init(
        type: MediaType, head: ResponseHead?, of bytes: any ByteSource, naming: String?
    ) throws(MediaError) {
        let first = try MemoryBytes(capacity: min(bytes.count, Self.headSize)) {
            (buffer) throws(MediaError) in
            try bytes.read(at: 0, into: buffer)
        }
        self.type = type
        contentType = head?.headers["Content-Type"].flatMap(Self.printable)
        kind = Self.kind(of: first.withBytes { Array($0) })
        self.head = head
        self.naming = naming
    }

    /// One sentence.
    public var description: String {
        let named = contentType.map { " (the server calls it \($0))" } ?? ""
        if type != .unknown { return "There is no decoder for \(type.name)\(named)." }
        if let naming, ![.html, .json, .text].contains(kind) {
            return naming.dropLast() + "\(named)."
        }
        return switch kind {
        case .html: "It is an HTML page, not an image\(named)."
        case .svg: "It is an SVG image, for which there is no decoder\(named)."
        case .xml: "It is XML, not an image\(named)."
        case .json: "It is JSON, not an image\(named)."
        case .pdf: "It is a PDF document, not an image\(named)."
        case .archive: "It is an archive, not an image\(named)."
        case .text: "It is text, not an image\(named)."
        case .binary: "The type is unknown\(named)."
        }
    }

    // A header field is untrusted: characters that do not fit one line of text are removed.
    private static func printable(_ text: String) -> String? {
        let plain = text.unicodeScalars.prefix(100).filter { (32..<127).contains($0.value) }
        return plain.isEmpty ? nil : String(String.UnicodeScalarView(plain))
    }

    private static func kind(of head: [UInt8]) -> Kind {
        let head = head.prefix(headSize)
        for (signature, kind) in signatures where head.starts(with: signature) { return kind }
        guard let text = text(of: head) else { return .binary }
        let words = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
        if words.hasPrefix("{") || words.hasPrefix("[") { return .json }
        guard words.hasPrefix("<") else { return .text }
        if words.contains("<svg") { return .svg }
        if words.hasPrefix("<!doctype html") || words.contains("<html") || words.contains("<head") {
            return .html
        }
        return words.hasPrefix("<?xml") ? .xml : .text
    }

    private static let signatures: [([UInt8], Kind)] = [
        (Array("%PDF-".utf8), .pdf), (Array("PK\u{3}\u{4}".utf8), .archive),
        ([0x1F, 0x8B], .archive),
    ]

    /// The first bytes as text, or nil if they are none; ignores a truncated last character.
    private static func text(of head: ArraySlice<UInt8>) -> String? {
        if head.isEmpty { return nil }
        let controls: Set<UInt8> = [9, 10, 12, 13, 27]
        guard head.allSatisfy({ $0 >= 32 || controls.contains($0) }) else { return nil }
        for cut in 0..<4 where cut < head.count {
            if let text = String(validating: head.dropLast(cut), as: UTF8.self) { return text }
        }
        return nil
    }
}
