internal import LazyLoading

/// The key of an image in memory: source, thumbnail, selection, scale and processors.
///
/// Cheap to copy, hash and compare: it is built and hashed once.
public struct ImageCacheKey: Hashable, Sendable {
    final class Parts: Sendable {
        /// The text without processors.
        let source: String
        /// The identifiers of the processors.
        ///
        /// Joined only for disks: a key in memory needs no text.
        let processors: [String]
        let hash: Int

        init(_ source: String, processors: [String] = []) {
            self.source = source
            self.processors = processors
            var hasher = Hasher()
            hasher.combine(source)
            for processor in processors { hasher.combine(processor) }
            hash = hasher.finalize()
        }
    }

    private let parts: Parts

    /// Creates a key from a custom text.
    public init(key: String) { parts = Parts(key) }

    /// Creates the key of a request, which the request caches.
    public init(_ request: ImageRequest) { parts = request.keyParts }

    /// The key as text.
    var text: String { CacheKeyText.text(of: parts) }

    /// Whether it is the key of an image with an identifier, at any size and with any processors.
    public func isVariant(of identifier: String) -> Bool {
        EntryGroup.contains(parts.source, in: CacheKeyText.group(of: identifier))
    }

    /// Whether the first line of its text is this.
    func isVariant(ofLine line: String) -> Bool { EntryGroup.contains(parts.source, in: line) }

    /// Whether two keys are of the same image.
    public static func == (left: ImageCacheKey, right: ImageCacheKey) -> Bool {
        let (left, right) = (left.parts, right.parts)
        return left === right
            || left.hash == right.hash && left.source == right.source
                && left.processors == right.processors
    }

    /// Hashes the parts.
    public func hash(into hasher: inout Hasher) { hasher.combine(parts.hash) }
}
