public import LazyLoading
public import LazyMedia

/// The options of a `LazyImage` for loading and layout.
///
/// Options may change at any time:
///
/// | options | when a change applies |
/// |---|---|
/// | `processors`, `maxPixelSize`, `thumbnail`, `headers`, `identifier`, `pipeline` | the image is reloaded: at once if a load was requested, else when it is; the previous one stays until there is a new one |
/// | `fetchPolicy`, `downloadDelay`, `showsPreviews` | with the next load, such as `retry()` or `reload()` |
/// | `priority` | at once, for the current load too |
/// | `transition`, `contentMode`, `placeholder`, `failureImage`, `looping`, `isAnimationEnabled` | at once |
/// | `load` | with the next `onAppear()` or `onDisappear()` |
public struct LazyImageOptions: Sendable {
    /// When a load starts, and what happens to it when the view disappears.
    public struct LoadOptions: OptionSet, Hashable, Sendable {
        /// The bits, one per option.
        public let rawValue: UInt8
        /// Creates options from bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The load starts when the model is created.
        public static let loadImmediately = LoadOptions(rawValue: 1 << 0)
        /// The load starts on `onAppear()`.
        public static let loadOnAppear = LoadOptions(rawValue: 1 << 1)
        /// The load is cancelled on `onDisappear()` and restarted on `onAppear()`.
        public static let cancelOnDisappear = LoadOptions(rawValue: 1 << 2)
        /// The load gets the lowest priority on `onDisappear()`, until `onAppear()`.
        public static let lowerPriorityOnDisappear = LoadOptions(rawValue: 1 << 3)
    }

    /// The pipeline, or nil for the model's own, initially the shared pipeline.
    public var pipeline: ImagePipeline?
    /// When a load starts, and what happens to it when the view disappears.
    public var load: LoadOptions = [.loadOnAppear, .cancelOnDisappear]
    /// The priority of loads.
    public var priority = Priority.normal
    /// The processors of each frame.
    public var processors: [any ImageProcessing] = []
    /// The fetch policy, or nil for that of the request.
    public var fetchPolicy: FetchPolicy?
    /// The delay before a download, or nil for that of the request.
    public var downloadDelay: Duration?
    /// Header fields of each load, added to or replacing those of the request.
    public var headers = HTTPHeaders()
    /// The maximum width and height in pixels; larger images are scaled down while decoded.
    public var maxPixelSize: Int?
    /// The size of decoded frames, or nil for `maxPixelSize` or that of the request.
    public var thumbnail: ImageRequest.ThumbnailOptions?
    /// Whether previews are shown while bytes arrive, for formats that profit from it.
    public var showsPreviews = true
    /// The identifier of the image in caches, if it is not its URL.
    public var identifier: String?
    /// The transition.
    public var transition = ImageTransition.none
    /// The content mode; by default the image fills its bounds and keeps its aspect ratio.
    public var contentMode = ContentMode.aspectFill
    /// The image that is shown until the load delivers one; a gray rectangle by default, nil for none.
    ///
    /// One of a single pixel is a color: it fills the bounds, whatever the content mode.
    public var placeholder = Self.grayRectangle
    /// The image that is shown when the load has failed; if nil, the placeholder stays.
    public var failureImage: Bitmap?
    /// How often animations play; forever by default.
    public var looping = Looping.forever
    /// Whether animations play.
    public var isAnimationEnabled = true

    /// The default placeholder: one pixel of a translucent gray, for light and dark backgrounds.
    public static let grayRectangle = try? Bitmap(
        size: PixelSize(width: 1, height: 1), isOpaque: false
    ) { pixel in
        pixel.copyBytes(from: [128, 128, 128, 51] as [UInt8])
    }

    /// Creates the default options.
    public init() {}
}

extension LazyImageOptions {
    /// A request with what determines its image.
    func identified(_ source: ImageRequest) -> ImageRequest {
        var request = source
        if !processors.isEmpty { request.processors = processors }
        for field in headers.fields { request.loadRequest?.headers[field.name] = field.value }
        if let maxPixelSize { request.thumbnail = .init(maxPixelSize: maxPixelSize) }
        if let thumbnail { request.thumbnail = thumbnail }
        if let identifier { request.imageID = identifier }
        return request
    }

    /// Whether a request for the same source has the same image with other options.
    func identifiesSameImage(as other: LazyImageOptions) -> Bool {
        processors.map(\.identifier) == other.processors.map(\.identifier)
            && headers == other.headers && maxPixelSize == other.maxPixelSize
            && thumbnail == other.thumbnail && identifier == other.identifier
    }

    /// Adds to a request what only a load needs.
    func complete(_ request: inout ImageRequest) {
        if let fetchPolicy { request.loadRequest?.policy = fetchPolicy }
        if let downloadDelay { request.downloadDelay = downloadDelay }
        if showsPreviews { request.options.insert(.progressive) }
    }
}
