internal import FoundationEssentials
internal import LazyEditing
internal import LazyLoading
internal import LazyMedia

/// Builds the text of a cache key: requests with the same text are for the same image.
///
/// The text of a plain request is its identifier. Each detail is appended on a line
/// with its length, so that all variants of one identifier form one group in
/// every store (`EntryGroup`), and no identifier equals another one with details.
struct CacheKeyText {
    private(set) var text: String

    private init(text: String) { self.text = text }

    init(_ id: String) { text = Self.group(of: id) }

    /// The whole text of a key.
    static func text(of key: ImageCacheKey.Parts) -> String {
        var text = Self(text: key.source)
        for processor in key.processors { text.add("p", processor) }
        return text.text
    }

    /// A text of a key with further details.
    static func text(_ text: String, adding details: [(kind: String, detail: String)]) -> String {
        var text = Self(text: text)
        for (kind, detail) in details { text.add(kind, group(of: detail)) }
        return text.text
    }

    mutating func add(_ kind: String, _ detail: String) {
        text += "\n"
        text += String(kind.utf8.count + detail.utf8.count)
        text += ":"
        text += kind
        text += detail
    }

    /// The text of an unprocessed image that is stored encoded, distinct from that of its bytes.
    static func encoded(_ text: String) -> String { text + "\nencoded" }

    /// The identifier as a prefix of its texts: escaped to one line.
    static func group(of id: String) -> String {
        guard id.utf8.contains(where: { $0 == 10 || $0 == 1 }) else { return id }
        return id.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\n": text += "\u{1}n"
            case "\u{1}": text += "\u{1}1"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension ImageRequest.Fields {
    func makeKey() -> ImageCacheKey.Parts {
        var text = sourceText
        if let thumbnail { text.add("t", thumbnail.size.identifier) }
        if let selection = selection.keyText { text.add("f", selection) }
        if scale != 1 { text.add("s", "\(scale)") }
        return ImageCacheKey.Parts(text.text, processors: processors.map { $0.identifier })
    }

    /// The text of the bytes' key.
    var dataKeyText: String { sourceText.text }

    /// The identifier, with everything else that determines the bytes.
    ///
    /// Header fields do, unless the request has a custom identifier. Credentials always do: what one
    /// user may see is not another's. The texts are keys on disk, so they contain salted digests only.
    private var sourceText: CacheKeyText {
        guard case .url(let load) = source else { return identity(imageID) }
        let id = customID ?? load.url.withHiddenUser
        var text = identity(id)
        if customID == nil {
            for field in load.headers.fields where !load.isSecret(field.name) {
                text.add("h", "\(field.name.lowercased()):\(field.value)")
            }
        } else if load.url.user() != nil {
            text.add("u", LoadRequest.digest(ofUserIn: load.url, salt: id))
        }
        if let digest = load.credentialDigest(salt: id) { text.add("c", digest) }
        if let range = load.range { text.add("r", range.headerValue) }
        return text
    }
}

extension ImageRequest.Fields {
    /// The identifier, and what tells requests of it apart.
    private func identity(_ id: String) -> CacheKeyText {
        var text = CacheKeyText(id)
        if !variant.isEmpty { text.add("b", CacheKeyText.group(of: variant)) }
        return text
    }
}

extension ImageRequest {
    /// The key of the original bytes in the data cache.
    var dataKeyText: String { fields.dataKeyText }

    private var keyText: String { CacheKeyText.text(of: keyParts) }

    /// The key of the finished, encoded image in the data cache.
    var encodedKeyText: String {
        isFinished ? keyText : CacheKeyText.encoded(keyText)
    }
}

extension ImageRequest.FrameSelection {
    fileprivate var keyText: String? {
        switch self {
        case .all: nil
        case .poster(let choice): "poster," + choice.keyText
        case .range(let times):
            "range,\(times.lowerBound.attoseconds),\(times.upperBound.attoseconds)"
        }
    }
}

extension PosterChoice {
    fileprivate var keyText: String {
        switch self {
        case .first: "first"
        case .at(let time): "at,\(time.attoseconds)"
        case .percent(let share): "percent,\(share)"
        case .index(let index): "index,\(index)"
        case .chapter(let number): "chapter,\(number)"
        case .embedded: "embedded"
        case .auto: "auto"
        case .within(let part):
            "within,\(part.lowerBound.attoseconds),\(part.upperBound.attoseconds)"
        }
    }
}
