public import FoundationEssentials
public import LazyBytes
public import LazyLoading
public import LazyMedia

/// What is wanted: a source, what to do with it, and how.
///
/// ```swift
/// var request = ImageRequest(url: url, processors: [.resize(width: 320)], priority: .high)
/// request.options = [.reloadIgnoringCachedData]
/// ```
public struct ImageRequest: Sendable, ExpressibleByStringLiteral {
    /// Where the bytes or the picture come from.
    public enum Source: Sendable {
        /// An address: `http`, `https`, `file` or `data`.
        case url(LoadRequest)
        /// Bytes at hand or made by a closure, known by an identifier.
        case data(id: String, load: @Sendable () async throws -> Blob)
        /// A picture made by a closure, known by an identifier.
        case image(id: String, load: @Sendable () async throws -> ImageContainer)
        /// No address could be made of what was given; loading fails with `.requestMissing`.
        case missing(String)
    }

    var box: Box

    /// Where the bytes or the picture come from.
    public var source: Source {
        get { fields.source }
        set { fields.source = newValue }
    }
    /// What is done to each frame, in order.
    public var processors: [any ImageProcessing] {
        get { fields.processors }
        set { fields.processors = newValue }
    }
    /// How urgent it is; a task's priority can be changed later.
    public var priority: Priority {
        get { fields.priority }
        set { fields.priority = newValue }
    }
    /// What is allowed.
    public var options: Options {
        get { fields.options }
        set { fields.options = newValue }
    }
    /// The size frames are decoded at, or nil for their own; cheaper than a resizing processor.
    public var thumbnail: ThumbnailOptions? {
        get { fields.thumbnail }
        set { fields.thumbnail = newValue }
    }
    /// Which frames are wanted.
    public var selection: FrameSelection {
        get { fields.selection }
        set { fields.selection = newValue }
    }
    /// An address of the same picture with fewer bytes, for constrained networks; nil for none.
    ///
    /// A task ends with the picture that the conditions allow (`ImageResponse.isLowData`), which the
    /// caches do not keep for the request; models load the other one when the constraint ends.
    public var lowDataURL: URL? {
        get { fields.lowDataURL }
        set { fields.lowDataURL = newValue }
    }
    /// Pixels of a point; handed on, and part of what tells pictures apart.
    public var scale: Double {
        get { fields.scale }
        set { fields.scale = newValue }
    }
    /// What delegates and decoders want to know.
    public var userInfo: [UserInfoKey: any Sendable] {
        get { fields.userInfo }
        set { fields.userInfo = newValue }
    }

    /// Makes a request for an address; nil fails when it is loaded, with `.requestMissing`.
    public init(
        url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal,
        options: Options = [], thumbnail: ThumbnailOptions? = nil,
        userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        self.init(
            source: url.map { .url(LoadRequest(url: $0)) } ?? .missing(""), processors: processors,
            priority: priority, options: options, thumbnail: thumbnail, userInfo: userInfo)
    }

    /// Makes a request for an address with header fields, time-outs and a fetch policy.
    public init(
        loadRequest: LoadRequest, processors: [any ImageProcessing] = [],
        priority: Priority = .normal, options: Options = [], thumbnail: ThumbnailOptions? = nil,
        userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        self.init(
            source: .url(loadRequest), processors: processors, priority: priority,
            options: options, thumbnail: thumbnail, userInfo: userInfo)
    }

    /// Makes a request for bytes that a closure gives, such as `.init([UInt8])` or standard input.
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

    /// Makes a request for a picture that a closure gives.
    public init(
        id: String, image: @escaping @Sendable () async throws -> ImageContainer,
        processors: [any ImageProcessing] = [], priority: Priority = .normal,
        options: Options = [], userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        self.init(
            source: .image(id: id, load: image), processors: processors, priority: priority,
            options: options, userInfo: userInfo)
    }

    /// Makes a request for an address in a text.
    public init(stringLiteral value: String) { self.init(string: value) }

    /// Makes a request for an address in a text; one that is none fails when it is loaded.
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

    /// What the request is known by: the address, unless something else was set.
    ///
    /// Set it where addresses differ in parts that do not matter, such as a token.
    public var imageID: String {
        get { fields.imageID }
        set { fields.customID = newValue }
    }

    /// The address, where the source is one.
    public var url: URL? {
        guard case .url(let request) = source else { return nil }
        return request.url
    }

    /// The load request, where the source is an address.
    public var loadRequest: LoadRequest? {
        get {
            guard case .url(let request) = source else { return nil }
            return request
        }
        set { if let newValue { source = .url(newValue) } }
    }

    /// What a request allows and forbids.
    public struct Options: OptionSet, Hashable, Sendable {
        /// One bit an option.
        public let rawValue: UInt16
        /// Makes options of bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The memory cache is not looked into.
        public static let disableMemoryCacheReads = Options(rawValue: 1 << 0)
        /// Nothing is put into the memory cache.
        public static let disableMemoryCacheWrites = Options(rawValue: 1 << 1)
        /// The memory cache is left alone.
        public static let disableMemoryCache: Options = [
            .disableMemoryCacheReads, .disableMemoryCacheWrites,
        ]
        /// The data cache is not looked into.
        public static let disableDiskCacheReads = Options(rawValue: 1 << 2)
        /// Nothing is put into the data cache.
        public static let disableDiskCacheWrites = Options(rawValue: 1 << 3)
        /// The data cache is left alone.
        public static let disableDiskCache: Options = [
            .disableDiskCacheReads, .disableDiskCacheWrites,
        ]
        /// No cache is looked into, the HTTP store included; the answer is stored.
        public static let reloadIgnoringCachedData = Options(rawValue: 1 << 4)
        /// Only caches are looked into; without an answer loading fails with `.dataMissingInCache`.
        public static let returnCacheDataDontLoad = Options(rawValue: 1 << 5)
        /// The load does not wait in the queue of loads.
        public static let skipDataLoadingQueue = Options(rawValue: 1 << 6)
        /// The poster is not decoded ahead: `image` costs its decoding at the first use of frames.
        public static let skipDecompression = Options(rawValue: 1 << 7)
        /// Previews are made while bytes arrive, also where the pipeline makes none by itself.
        public static let progressive = Options(rawValue: 1 << 8)
    }

    /// Which frames of the source are wanted.
    public enum FrameSelection: Hashable, Sendable {
        /// All: the whole source is loaded.
        case all
        /// Only the poster, as a still; of a remote video only the bytes it needs are loaded.
        case poster(PosterChoice)
        /// The frames of a part of one play.
        case range(Range<Duration>)
    }

    /// The size frames are decoded at.
    public struct ThumbnailOptions: Hashable, Sendable {
        /// The size and how to fit.
        public var size: TargetSize

        /// Fits frames into a size.
        public init(size: TargetSize) { self.size = size }

        /// Fits frames into a square, never enlarging them.
        public init(maxPixelSize: Int) {
            size = TargetSize(width: maxPixelSize, height: maxPixelSize, fit: .scaleDown)
        }
    }
}
