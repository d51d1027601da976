internal import FoundationEssentials
internal import LazyLoading
internal import Synchronization

extension ImageRequest {
    /// What a request holds; copied when it is changed while another request holds it too.
    ///
    /// Unchecked: it is written only in `mutate`, while it has one owner.
    final class Storage: @unchecked Sendable {
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
        private let key = AtomicLazyReference<ImageCacheKey.Text>()

        init(_ source: Source) { self.source = source }

        init(copying other: Storage) {
            source = other.source
            processors = other.processors
            priority = other.priority
            options = other.options
            thumbnail = other.thumbnail
            selection = other.selection
            lowDataURL = other.lowDataURL
            alternatives = other.alternatives
            byteBudget = other.byteBudget
            downloadDelay = other.downloadDelay
            scale = other.scale
            userInfo = other.userInfo
            customID = other.customID
        }

        var imageID: String {
            if let customID { return customID }
            switch source {
            case .url(let request): return request.url.absoluteString
            case .data(let id, _), .image(let id, _): return id
            case .missing(let text): return text
            }
        }

        /// The text of the cache key, made at the first use.
        var keyText: ImageCacheKey.Text {
            key.load() ?? key.storeIfNil(ImageCacheKey.Text(makeKeyText()))
        }

        /// Whether the key was made: then a change needs another storage.
        var hasKey: Bool { key.load() != nil }
    }

    var keyText: ImageCacheKey.Text { storage.keyText }

    mutating func mutate(_ change: (Storage) -> Void) {
        if !isKnownUniquelyReferenced(&storage) || storage.hasKey {
            storage = Storage(copying: storage)
        }
        change(storage)
    }

    /// Whether the source is bytes, and not a picture.
    var hasBytes: Bool {
        switch source {
        case .url, .data: true
        case .image, .missing: false
        }
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
