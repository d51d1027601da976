public import LazyLoading
public import LazyMedia
public import LazyPipeline

/// How a `LazyImage` loads and lies; the defaults are those of `LazyImage` itself.
///
/// Options of a model may change at any time:
///
/// | options | when a change applies |
/// |---|---|
/// | `processors`, `maxPixelSize`, `thumbnail`, `headers`, `identifier`, `pipeline` | the picture is loaded anew: at once where it was asked for, else when it is; in sight the one before stays until there is another |
/// | `fetchPolicy`, `downloadDelay`, `showsPreviews` | with the next load, such as `retry()` or `reload()` |
/// | `priority` | at once, for the load under way as well |
/// | `transition`, `contentMode`, `placeholder`, `failurePicture`, `looping`, `isAnimationEnabled` | at once |
/// | `load` | when the model comes into sight or goes out of it the next time |
public struct LazyImageOptions: Sendable {
    /// When a load begins and what becomes of it out of sight.
    public struct LoadOptions: OptionSet, Hashable, Sendable {
        /// One bit an option.
        public let rawValue: UInt8
        /// Makes options of bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It begins when the model is made.
        public static let loadImmediately = LoadOptions(rawValue: 1 << 0)
        /// It begins on `onAppear()`.
        public static let loadOnAppear = LoadOptions(rawValue: 1 << 1)
        /// It is cancelled on `onDisappear()`, and begun anew on `onAppear()`.
        public static let cancelOnDisappear = LoadOptions(rawValue: 1 << 2)
        /// It falls behind all others on `onDisappear()`, until `onAppear()`.
        public static let lowerPriorityOnDisappear = LoadOptions(rawValue: 1 << 3)
    }

    /// What loads, or nil for what the model has, at first the shared pipeline.
    public var pipeline: ImagePipeline?
    /// When a load begins and what becomes of it out of sight.
    public var load: LoadOptions = [.loadOnAppear, .cancelOnDisappear]
    /// How urgent loads are.
    public var priority = Priority.normal
    /// What is done to each frame.
    public var processors: [any ImageProcessing] = []
    /// Whether the store and the network may be used, or nil for what the request says.
    public var fetchPolicy: FetchPolicy?
    /// How long a download waits before it asks the network, or nil for what the request says.
    public var downloadDelay: Duration?
    /// Header fields that are sent with each load, beside and in place of the request's own.
    public var headers = HTTPHeaders()
    /// The most pixels of a side that are wanted: larger pictures are decoded smaller.
    public var maxPixelSize: Int?
    /// The size frames are decoded at, or nil for what `maxPixelSize` and the request say.
    public var thumbnail: ImageRequest.ThumbnailOptions?
    /// Whether what has arrived is shown while the rest does, where it gains by that.
    public var showsPreviews = true
    /// What the picture is known by, where that is not its address.
    public var identifier: String?
    /// How it comes into sight.
    public var transition = ImageTransition.none
    /// How it lies in its place: it fills it and keeps its shape, unless said otherwise.
    public var contentMode = ContentMode.aspectFill
    /// What is shown until there is something to show.
    public var placeholder: Bitmap?
    /// What is shown when the load has failed; without it the placeholder stays.
    public var failurePicture: Bitmap?
    /// How often animations play; for ever unless said otherwise, as clips of a page do.
    public var looping = Looping.forever
    /// Whether animations play.
    public var isAnimationEnabled = true

    /// Makes the default options.
    public init() {}
}
