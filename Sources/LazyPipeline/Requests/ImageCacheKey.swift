internal import LazyLoading

/// The key of an image in memory: source, thumbnail, selection, scale and processors.
///
/// Cheap to copy, hash and compare: the text is built and hashed once.
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

    /// Creates a key from a custom text.
    public init(key: String) { storage = Text(key) }

    /// Creates the key of a request, which the request caches.
    public init(_ request: ImageRequest) { storage = request.keyText }

    /// The key as text.
    var text: String { storage.text }

    /// Whether it is the key of an image with an identifier, at any size and with any processors.
    public func isVariant(of identifier: String) -> Bool {
        EntryGroup.contains(text, in: CacheKeyText.group(of: identifier))
    }

    /// Whether two keys are of the same image.
    public static func == (left: ImageCacheKey, right: ImageCacheKey) -> Bool {
        left.storage === right.storage
            || (left.storage.hash == right.storage.hash && left.storage.text == right.storage.text)
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }
}
