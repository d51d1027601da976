internal import FoundationEssentials
internal import LazyEditing
internal import LazyLoading
internal import LazyMedia
internal import Synchronization

extension ImageRequest {
    /// What a request consists of.
    struct Fields: Sendable {
        var source: Source
        var processors: [any ImageProcessing] = []
        var priority = Priority.normal
        var options: Options = []
        var thumbnail: ThumbnailOptions?
        var selection = FrameSelection.all
        var lowDataURL: URL?
        var alternatives: [Alternative] = []
        var byteBudget: Int?
        var downloadDelay = Duration.zero
        var scale = 1.0
        var userInfo: [UserInfoKey: any Sendable] = [:]
        var customID: String?
        var variant = ""
        var streamSize: TargetSize?
        var streamPoster: PosterChoice?

        init(_ source: Source) { self.source = source }

        var imageID: String {
            if let customID { return customID }
            switch source {
            case .url(let request): return request.url.absoluteString
            case .data(let id, _), .image(let id, _): return id
            case .missing(let text): return text
            }
        }
    }

    /// The fields, held by reference, with their cache key.
    ///
    /// Unchecked: the fields are written only by `fields`, while the box has one owner.
    final class Box: @unchecked Sendable {
        fileprivate(set) var fields: Fields
        fileprivate let key = KeptKey<ImageCacheKey.Parts>()
        fileprivate let dataKey = KeptKey<DataKey>()

        init(_ fields: Fields) { self.fields = fields }

        fileprivate var hasKeys: Bool { key.known != nil || dataKey.known != nil }
    }

    /// The fields; a change while they are shared, or have a key, makes a copy.
    var fields: Fields {
        _read { yield box.fields }
        _modify {
            if !isKnownUniquelyReferenced(&box) || box.hasKeys { box = Box(box.fields) }
            yield &box.fields
        }
    }

    /// Changes fields that are no part of the cache key, which is kept if it is known.
    mutating func changeKeepingKey(_ body: (inout Fields) -> Void) {
        let key = box.key.known
        body(&fields)
        if let key { _ = box.key.keep(key) }
    }

    /// What the cache key consists of, created at the first use.
    var keyParts: ImageCacheKey.Parts { box.key.known ?? box.key.keep(fields.makeKey()) }

    /// The identity of the download, created at the first use.
    var dataKey: DataKey { box.dataKey.known ?? box.dataKey.keep(DataKey(self)) }

    /// Whether the source provides bytes, and not an image.
    var hasBytes: Bool {
        switch source {
        case .url, .data: true
        case .image, .missing: false
        }
    }

    /// The source for people; a user's name and password are not in it.
    var label: String {
        switch source {
        case .url(let load): load.url.shortLabel
        case .data(let id, _), .image(let id, _): id
        case .missing(let text): text.isEmpty ? "no URL" : text
        }
    }

    /// Whether the other request is for the same image, to be loaded in the same way.
    ///
    /// Closures count as equal if their identifiers are; priorities and custom values do not count.
    package func isEquivalent(to other: ImageRequest) -> Bool {
        if box === other.box { return true }
        return ImageCacheKey(self) == ImageCacheKey(other) && loadRequest == other.loadRequest
            && options == other.options && lowDataURL == other.lowDataURL
            && alternatives == other.alternatives && byteBudget == other.byteBudget
            && downloadDelay == other.downloadDelay
    }

    /// The size of the pictures that are wanted of a stream, which chooses its variant: the thumbnail's by default.
    var streamSize: TargetSize? {
        get { fields.streamSize ?? thumbnail?.size }
        set { changeKeepingKey { $0.streamSize = newValue } }
    }

    /// The poster that is going to be made of a stream, if that is all, so that only its segment is loaded.
    var streamPoster: PosterChoice? {
        get {
            if case .poster(let choice) = selection { return choice }
            return fields.streamPoster
        }
        set { changeKeepingKey { $0.streamPoster = newValue } }
    }

    /// Whether the load does not wait in the queue of loads.
    var skipsQueue: Bool { options.contains(.skipDataLoadingQueue) }

    /// The request with the first of its processors only.
    func keepingProcessors(_ count: Int) -> ImageRequest {
        var request = self
        request.processors = Array(processors.prefix(count))
        return request
    }
}

/// A key that is made at the first use; of several the first one is kept.
///
/// Not an `AtomicLazyReference`: its functions are not specialized, and take several times as long.
private struct KeptKey<Key: AnyObject & Sendable>: ~Copyable {
    private let key = Mutex<Key?>(nil)

    var known: Key? { key.withLock { $0 } }

    func keep(_ made: Key) -> Key {
        key.withLock { key in
            let kept = key ?? made
            key = kept
            return kept
        }
    }
}

extension ImageRequest: CustomStringConvertible {
    /// One line: the source, and what differs from the defaults.
    ///
    /// Such as `ImageRequest(https://example.com/a.jpg, lazyimg/circle, priority: high)`.
    public var description: String {
        var parts = [label]
        if let id = fields.customID { parts.append("id: \(id)") }
        if let thumbnail { parts.append("thumbnail: \(thumbnail.size.identifier)") }
        if selection != .all { parts.append("selection: \(selection)") }
        parts += processors.map(\.identifier)
        if priority != .normal { parts.append("priority: \(priority)") }
        if !options.isEmpty { parts.append("options: \(options)") }
        return "ImageRequest(\(parts.joined(separator: ", ")))"
    }
}

extension ImageRequest.Options: CustomStringConvertible {
    /// The names of the options, such as `[progressive, skipDecompression]`.
    public var description: String {
        let names = Self.names.filter { contains($0.0) }.map(\.1)
        return "[\(names.joined(separator: ", "))]"
    }

    private static let names: [(Self, String)] = [
        (.disableMemoryCacheReads, "disableMemoryCacheReads"),
        (.disableMemoryCacheWrites, "disableMemoryCacheWrites"),
        (.disableDiskCacheReads, "disableDiskCacheReads"),
        (.disableDiskCacheWrites, "disableDiskCacheWrites"),
        (.reloadIgnoringCachedData, "reloadIgnoringCachedData"),
        (.returnCacheDataDontLoad, "returnCacheDataDontLoad"),
        (.skipDataLoadingQueue, "skipDataLoadingQueue"),
        (.skipDecompression, "skipDecompression"), (.progressive, "progressive"),
    ]
}
