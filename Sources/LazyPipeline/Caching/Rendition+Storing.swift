public import LazyBase
public import LazyLoading
public import LazyMedia
public import LazyRenditions

extension Rendition {
    /// Stores what was made: a memory cache, a disk, a service that several machines share.
    ///
    /// What is stored is made once: of two results under one key the first stays, because encoders write other bytes on
    /// other machines, and ranges of two files must not be mixed.
    public protocol Storing: Sendable {
        /// The result under a key with the bytes of a range, or all of them; nil if there is none.
        ///
        /// With an empty range nothing is read but what is known of it.
        func result(for key: Key, range: Range<Int>?) async throws(LoadingError) -> Stored?

        /// Stores a result unless there is one under the key; returns the one that is there.
        func putIfAbsent(_ result: Stored, for key: Key) async throws(LoadingError) -> Stored

        /// Removes all that was made of a source, whatever its version was, by the first line of keys.
        func remove(source: String) async -> RemovedEntries
    }

    /// What a result is found by: the source first, then its version, and what was made of it.
    public struct Key: Hashable, Sendable {
        let image: ImageCacheKey
        let rendition: Rendition
        /// The version of the source: a validator of its server, a file's identity, or a digest.
        public let version: String
        /// The part of the rendition.
        public let part: Part

        /// The key as text; keys of one source share the first line.
        public var text: String {
            CacheKeyText.text(
                image.text,
                adding: [("v", version), ("o", rendition.identifier), ("q", part.description)])
        }

        /// The first line of the text.
        public var source: String { String(EntryGroup.of(image.text)) }
    }

    /// A result as a store has it.
    public struct Stored: Sendable {
        /// The bytes, or those of a range.
        public var body: Blob
        /// The number of all bytes.
        public var byteCount: Int
        /// The type.
        public var type: MediaType
        /// The digest of all bytes, which is the strong tag of the result.
        public var digest: String
        /// The report in JSON.
        public var report: String

        /// Makes a result.
        public init(
            body: Blob, byteCount: Int, type: MediaType, digest: String, report: String
        ) {
            self.body = body
            self.byteCount = byteCount
            self.type = type
            self.digest = digest
            self.report = report
        }

        /// The same with a range of its bytes.
        func cut(to range: Range<Int>?) -> Stored {
            guard let range else { return self }
            var part = self
            part.body = body.slice(range.clamped(to: 0..<body.count))
            return part
        }
    }
}
