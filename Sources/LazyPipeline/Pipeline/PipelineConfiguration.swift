internal import LazyBase
public import LazyLoading
public import LazyMedia
public import LazyRenditions
public import Logging

extension ImagePipeline {
    /// The parts and limits of a pipeline; the defaults are those of Nuke unless noted.
    public struct Configuration: Sendable {
        /// The outermost loader, which provides the bytes.
        public var dataLoader: any DataLoading
        /// Opens remote clips for reading by ranges; if nil, a poster costs the whole download.
        public var remoteOpener: (any RemoteOpening)?
        /// The network conditions that the loader observes.
        ///
        /// Models that show a low-data image load the full one when the constraint ends.
        public var networkConditions = NetworkConditions.shared
        /// The decoders.
        public var decoders: DecoderRegistry
        /// The encoders of stored images, in order.
        ///
        /// The first is used that can represent an image with its frames and
        /// its transparency; without one the image is not stored.
        public var encoders: [any MediaEncoding]
        /// The memory cache of finished images, or nil.
        public var imageCache: (any ImageCaching)?
        /// The aggressive disk cache, or nil to follow the HTTP caching rules alone.
        public var dataCache: (any DataCaching)?
        /// What the data cache stores.
        public var dataCachePolicy: DataCachePolicy = .storeOriginalData
        /// The maximum number of concurrent loads.
        public var dataLoadingLimit = 6
        /// The maximum number of concurrent decodings.
        public var decodingLimit = max(1, BlockingPool.coreCount)
        /// The maximum number of concurrent processings.
        public var processingLimit = max(2, BlockingPool.coreCount)
        /// The maximum number of concurrent encodings for the data cache.
        public var encodingLimit = 1
        /// The encoders of renditions; without one of their type they cannot be made.
        public var renditionEncoders = EncoderRegistry()
        /// Reads the watermarks and subtitles that renditions name; if nil, those are refused.
        public var renditionFiles: (any Rendition.FileReading)?
        /// The bytes of renditions that are kept in memory; 0 for none.
        public var renditionCacheLimit = 0
        /// How long renditions are kept in memory, or nil for no limit.
        public var renditionCacheAge: Duration?
        /// Where renditions are stored beyond memory; if nil, in the data cache of the request.
        public var renditionStore: (any Rendition.Storing)?
        /// The maximum number of renditions that are made concurrently.
        public var renderingLimit = max(1, BlockingPool.coreCount)
        /// Whether equal requests share their work.
        public var isTaskCoalescingEnabled = true
        /// Whether loads start at no more than 80 per second, after a burst of 25.
        public var isRateLimiterEnabled = true
        /// Whether previews are decoded while bytes arrive.
        public var isProgressiveDecodingEnabled = false
        /// The minimum interval between two previews.
        public var progressiveDecodingInterval: Duration = .milliseconds(500)
        /// Whether previews are stored in the memory cache.
        public var isStoringPreviewsInMemoryCache = true
        /// Whether interrupted downloads are resumed.
        public var isResumableDataEnabled = true
        /// Whether `file:` and `data:` URLs are read without the loader and its queue.
        public var isLocalResourcesSupportEnabled = true
        /// The maximum size of a response in bytes, or nil for no limit.
        public var maximumResponseDataSize: Int? = 200_000_000
        /// The limits of decoding.
        public var limits = DecodingLimits.web
        /// The rule for frame delays that are too short.
        public var delayRule = DelayRule.browsers
        /// The clocks for intervals and lifetimes.
        public var clocks = Clocks.system

        /// The logger of one debug line per task; logs nothing by default.
        public var logger = Logger(label: "lazyimg") { _ in SwiftLogNoOpLogHandler() }

        /// Creates a configuration without caches.
        public init(dataLoader: any DataLoading, decoders: DecoderRegistry) {
            self.dataLoader = dataLoader
            self.decoders = decoders
            encoders = []
        }
    }

    /// What the data cache stores.
    public enum DataCachePolicy: String, CaseIterable, Sendable {
        /// The original bytes, except those of local sources.
        case storeOriginalData
        /// Finished images, encoded; animations stay animations.
        case storeEncodedImages
        /// Both.
        case storeAll
        /// Finished images if there are processors or a thumbnail, else the original bytes.
        case automatic
    }
}
