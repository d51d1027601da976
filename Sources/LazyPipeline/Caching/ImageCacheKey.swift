internal import LazyCache

/// What a picture in memory is known by: source, thumbnail, selection, scale and processors.
///
/// Cheap to copy, to hash and to compare: the text is made and hashed once.
public struct ImageCacheKey: Hashable, Sendable {
    final class Text: Sendable {
        let text: String
        let hash: Int

        init(_ text: String) {
            self.text = text
            hash = text.hashValue
        }
    }

    private let storage: Text

    /// Makes the key of a text of one's own.
    public init(key: String) { storage = Text(key) }

    /// Makes the key of a request; the same request hands out the same key again.
    public init(_ request: ImageRequest) { storage = request.keyText }

    init(_ storage: Text) { self.storage = storage }

    /// The key as text.
    var text: String { storage.text }

    /// Whether it is of a picture known by an identifier: at any size, with any processors.
    public func isVariant(of identifier: String) -> Bool {
        EntryGroup.contains(text, in: CacheKeyText.group(of: identifier))
    }

    /// Whether two keys are of the same picture.
    public static func == (left: ImageCacheKey, right: ImageCacheKey) -> Bool {
        left.storage === right.storage
            || (left.storage.hash == right.storage.hash && left.storage.text == right.storage.text)
    }

    /// Feeds the hash of the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }
}
