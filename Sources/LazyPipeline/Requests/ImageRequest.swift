public import FoundationEssentials
public import LazyBase
public import LazyLoading
public import LazyMedia

/// A request for an image: its source, processors and options.
///
/// ```swift
/// var request = ImageRequest(url: url, processors: [.resize(width: 320)], priority: .high)
/// request.options = [.reloadIgnoringCachedData]
/// ```
public struct ImageRequest: Sendable, ExpressibleByStringLiteral {
    /// The source of the bytes or the image.
    public enum Source: Sendable {
        /// A URL with the scheme `http`, `https`, `file` or `data`.
        case url(LoadRequest)
        /// Bytes from a closure, with an identifier.
        case data(id: String, load: @Sendable () async throws -> Blob)
        /// An image from a closure, with an identifier.
        case image(id: String, load: @Sendable () async throws -> ImageContainer)
        /// An invalid or missing URL; the load fails with `.requestMissing`.
        case missing(String)
    }

    var box: Box

    /// The source of the bytes or the image.
    public var source: Source {
        get { fields.source }
        set { fields.source = newValue }
    }
    /// The processors of each frame, in order.
    public var processors: [any ImageProcessing] {
        get { fields.processors }
        set { fields.processors = newValue }
    }
    /// The priority; that of a task can be changed later.
    public var priority: Priority {
        get { fields.priority }
        set { changeKeepingKey { $0.priority = newValue } }
    }
    /// The options.
    public var options: Options {
        get { fields.options }
        set { changeKeepingKey { $0.options = newValue } }
    }
    /// The size of decoded frames, or nil for the original size; cheaper than a resizing processor.
    public var thumbnail: ThumbnailOptions? {
        get { fields.thumbnail }
        set { fields.thumbnail = newValue }
    }
    /// The selected frames.
    public var selection: FrameSelection {
        get { fields.selection }
        set { fields.selection = newValue }
    }
    /// A URL of the same image with fewer bytes, for constrained networks, or nil.
    ///
    /// A task ends with the image that the conditions allow (`ImageResponse.isLowData`). Caches do not
    /// store a low-data image for the request; models load the full one when the constraint ends.
    public var lowDataURL: URL? {
        get { fields.lowDataURL }
        set { fields.lowDataURL = newValue }
    }
    /// The number of pixels per point; part of the cache key.
    public var scale: Double {
        get { fields.scale }
        set { fields.scale = newValue }
    }
    /// Custom values for delegates and decoders.
    public var userInfo: [UserInfoKey: any Sendable] {
        get { fields.userInfo }
        set { changeKeepingKey { $0.userInfo = newValue } }
    }

    /// Creates a request for a URL; a load of nil fails with `.requestMissing`.
    public init(
        url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal,
        options: Options = [], thumbnail: ThumbnailOptions? = nil,
        userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        self.init(
            source: url.map { .url(LoadRequest(url: $0)) } ?? .missing(""), processors: processors,
            priority: priority, options: options, thumbnail: thumbnail, userInfo: userInfo)
    }

    /// Creates a request with header fields, timeouts and a fetch policy.
    public init(
        loadRequest: LoadRequest, processors: [any ImageProcessing] = [],
        priority: Priority = .normal, options: Options = [], thumbnail: ThumbnailOptions? = nil,
        userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        self.init(
            source: .url(loadRequest), processors: processors, priority: priority,
            options: options, thumbnail: thumbnail, userInfo: userInfo)
    }

    /// Creates a request for bytes that a closure returns.
    public init(
        id: String, data: @escaping @Sendable () async throws -> Blob,
        processors: [any ImageProcessing] = [], priority: Priority = .normal,
        options: Options = [], thumbnail: ThumbnailOptions? = nil,
        userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        self.init(
            source: .data(id: id, load: data), processors: processors, priority: priority,
            options: options, thumbnail: thumbnail, userInfo: userInfo)
    }

    /// Creates a request for an image that a closure returns.
    public init(
        id: String, image: @escaping @Sendable () async throws -> ImageContainer,
        processors: [any ImageProcessing] = [], priority: Priority = .normal,
        options: Options = [], userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        self.init(
            source: .image(id: id, load: image), processors: processors, priority: priority,
            options: options, userInfo: userInfo)
    }

    /// Creates a request for a URL string.
    public init(stringLiteral value: String) { self.init(string: value) }

    /// Creates a request for a URL string; a load of an invalid one fails.
    public init(string: String) {
        let url = URL(string: string)
        self.init(source: url.map { .url(LoadRequest(url: $0)) } ?? .missing(string))
    }

    private init(
        source: Source, processors: [any ImageProcessing] = [], priority: Priority = .normal,
        options: Options = [], thumbnail: ThumbnailOptions? = nil,
        userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        var fields = Fields(source)
        fields.processors = processors
        fields.priority = priority
        fields.options = options
        fields.thumbnail = thumbnail
        fields.userInfo = userInfo
        box = Box(fields)
    }

    /// The identifier of the request in caches; the URL by default.
    ///
    /// Set it if URLs differ in parts that do not affect the image, such as a token.
    public var imageID: String {
        get { fields.imageID }
        set { fields.customID = newValue }
    }

    /// What tells requests of one identifier apart; they are removed together, by the identifier.
    package var variant: String {
        get { fields.variant }
        set { fields.variant = newValue }
    }

    /// The URL, if the source is one.
    public var url: URL? {
        guard case .url(let request) = source else { return nil }
        return request.url
    }

    /// The load request, if the source is a URL.
    public var loadRequest: LoadRequest? {
        get {
            guard case .url(let request) = source else { return nil }
            return request
        }
        set { if let newValue { source = .url(newValue) } }
    }

    /// Options of a request.
    public struct Options: OptionSet, Hashable, Sendable {
        /// The bits, one per option.
        public let rawValue: UInt16
        /// Creates options from bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Does not read the memory cache.
        public static let disableMemoryCacheReads = Options(rawValue: 1 << 0)
        /// Does not write to the memory cache.
        public static let disableMemoryCacheWrites = Options(rawValue: 1 << 1)
        /// Does not use the memory cache.
        public static let disableMemoryCache: Options = [
            .disableMemoryCacheReads, .disableMemoryCacheWrites,
        ]
        /// Does not read the data cache.
        public static let disableDiskCacheReads = Options(rawValue: 1 << 2)
        /// Does not write to the data cache.
        public static let disableDiskCacheWrites = Options(rawValue: 1 << 3)
        /// Does not use the data cache.
        public static let disableDiskCache: Options = [
            .disableDiskCacheReads, .disableDiskCacheWrites,
        ]
        /// Reads no cache, not even the HTTP store; the response is stored.
        public static let reloadIgnoringCachedData = Options(rawValue: 1 << 4)
        /// Reads caches only; without a hit the load fails with `.dataMissingInCache`.
        public static let returnCacheDataDontLoad = Options(rawValue: 1 << 5)
        /// Starts the download without waiting in the queue.
        public static let skipDataLoadingQueue = Options(rawValue: 1 << 6)
        /// Does not decode the poster; the first access to `image` decodes it.
        public static let skipDecompression = Options(rawValue: 1 << 7)
        /// Decodes previews while bytes arrive, even if the pipeline is not configured to.
        public static let progressive = Options(rawValue: 1 << 8)
    }

    /// The frames of the source to deliver.
    public enum FrameSelection: Hashable, Sendable {
        /// All frames.
        case all
        /// The poster only, as a still; of a remote video, only the required bytes are loaded.
        case poster(PosterChoice)
        /// The frames of a time range of one play.
        case range(Range<Duration>)
    }

    /// The size of decoded frames.
    public struct ThumbnailOptions: Hashable, Sendable {
        /// The target size.
        public var size: TargetSize

        /// Scales frames to a target size.
        public init(size: TargetSize) { self.size = size }

        /// Scales frames down to fit a square.
        public init(maxPixelSize: Int) {
            size = TargetSize(width: maxPixelSize, height: maxPixelSize, fit: .scaleDown)
        }
    }
}
