internal import LazyBytes
public import LazyCache
public import LazyLoading
public import LazyMedia
public import Logging

extension ImagePipeline {
    /// The parts of a pipeline and what it may use; the defaults are Nuke's unless said otherwise.
    public struct Configuration: Sendable {
        /// Where bytes come from: the loader that stands around all others.
        public var dataLoader: any DataLoading
        /// Opens remote clips to be read in ranges, or nil: then posters cost the whole download.
        public var remoteOpener: (any RemoteOpening)?
        /// Whether the network is constrained: those that the loader goes by.
        ///
        /// Models that show a picture for low data load the other one when the constraint ends.
        public var networkConditions = NetworkConditions.shared
        /// Which formats can be read.
        public var decoders: DecoderRegistry
        /// Which formats processed pictures are stored as: the first that can carry them.
        public var encoders: [any MediaEncoding]
        /// Where finished pictures are kept in memory, or nil.
        public var imageCache: (any ImageCaching)?
        /// The aggressive disk cache, or nil: then HTTP's own rules decide alone.
        public var dataCache: (any DataCaching)?
        /// What the data cache keeps.
        public var dataCachePolicy: DataCachePolicy = .storeOriginalData
        /// Loads at one time.
        public var dataLoadingLimit = 6
        /// Decodes at one time.
        public var decodingLimit = max(1, BlockingPool.coreCount)
        /// Processed pictures made at one time.
        public var processingLimit = max(2, BlockingPool.coreCount)
        /// Pictures encoded for the data cache at one time.
        public var encodingLimit = 1
        /// Whether equal work is done once for everybody who asks.
        public var isTaskCoalescingEnabled = true
        /// Whether loads start at no more than 80 a second, after the first 25.
        public var isRateLimiterEnabled = true
        /// Whether previews are made while bytes arrive.
        public var isProgressiveDecodingEnabled = false
        /// The shortest time between two previews.
        public var progressiveDecodingInterval: Duration = .milliseconds(500)
        /// Whether previews are put into the memory cache.
        public var isStoringPreviewsInMemoryCache = true
        /// Whether interrupted downloads are continued.
        public var isResumableDataEnabled = true
        /// Whether `file:` and `data:` are read without the loader and its queue.
        public var isLocalResourcesSupportEnabled = true
        /// The most bytes of an answer, or nil for no bound.
        public var maximumResponseDataSize: Int? = 200_000_000
        /// What decoding may cost.
        public var limits = DecodingLimits.web
        /// The rule for too short delays.
        public var delayRule = DelayRule.browsers
        /// The clocks that intervals and life times go by.
        public var clocks = Clocks.system

        /// Where each task leaves one line, at the level of debugging; nowhere unless set.
        public var logger = Logger(label: "lazyimg") { _ in SwiftLogNoOpLogHandler() }

        /// Makes a configuration without caches.
        public init(dataLoader: any DataLoading, decoders: DecoderRegistry) {
            self.dataLoader = dataLoader
            self.decoders = decoders
            encoders = []
        }
    }

    /// What the data cache keeps.
    public enum DataCachePolicy: String, CaseIterable, Sendable {
        /// The bytes as they came; those of local sources are not copied.
        case storeOriginalData
        /// Finished pictures, encoded: animations as animations.
        case storeEncodedImages
        /// Both.
        case storeAll
        /// Finished pictures where there are processors or a thumbnail, else the bytes.
        case automatic
    }
}
