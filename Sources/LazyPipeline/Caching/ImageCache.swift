public import LazyBytes
internal import LazyCache
internal import LazyMedia

/// Finished pictures in memory: bounded by cost, count and age, and smaller when memory runs short.
///
/// The cost of a picture is what its poster and its encoded bytes in memory occupy; frames that are
/// decoded while it plays are counted where they are kept. A picture of more than a tenth of the
/// cost limit is not kept. What was neither stored nor used for longest goes first.
public final class ImageCache: ImageCaching {
    /// The cache for everybody.
    public static let shared = ImageCache()

    /// 15 % of the memory this process may use, at most 768 MiB.
    public static let defaultCostLimit = min(SystemMemory.limit / 100 * 15, 805_306_368)

    private let pictures: MemoryCache<ImageCacheKey, ImageContainer>
    private let pressure: ObservationToken

    /// Makes an empty cache.
    public init(
        costLimit: Int = ImageCache.defaultCostLimit, countLimit: Int = .max, ttl: Duration? = nil,
        clocks: Clocks = .system, pressure: MemoryPressure = .shared
    ) {
        let pictures = MemoryCache<ImageCacheKey, ImageContainer>(
            limits: .init(cost: costLimit, count: countLimit, timeToLive: ttl),
            clock: clocks.steady)
        self.pictures = pictures
        self.pressure = pressure.observe { level in
            switch level {
            case .warning: pictures.trim(toCost: pictures.totalCost / 2)
            case .critical: pictures.removeAll()
            }
        }
    }

    /// The picture of a key, which counts as use; setting nil removes it.
    public subscript(key: ImageCacheKey) -> ImageContainer? {
        get { pictures.value(for: key) }
        set {
            if let newValue {
                pictures.set(newValue, for: key, cost: Self.cost(of: newValue))
            } else {
                pictures.remove(key)
            }
        }
    }

    /// The picture of a request, as `subscript(key:)` gives it.
    public subscript(request: ImageRequest) -> ImageContainer? {
        get { self[ImageCacheKey(request)] }
        set { self[ImageCacheKey(request)] = newValue }
    }

    /// What a picture counts: its poster, its encoded bytes where they are in memory, and one.
    public static func cost(of container: ImageContainer) -> Int {
        // A poster that is decoded at its first use counts from the beginning, and is not decoded here.
        let poster = container.decodedImage?.byteCount ?? container.frames.info.size.rgbaByteCount
        return poster + container.bytesHeld + 1
    }

    /// The highest cost of all pictures; a lower one is met at once.
    public var costLimit: Int {
        get { pictures.limits.cost }
        set { pictures.limits.cost = newValue }
    }

    /// The highest number of pictures; a lower one is met at once.
    public var countLimit: Int {
        get { pictures.limits.count }
        set { pictures.limits.count = newValue }
    }

    /// How long a picture is kept that is stored from now on, or nil for as long as there is room.
    public var ttl: Duration? {
        get { pictures.limits.timeToLive }
        set { pictures.limits.timeToLive = newValue }
    }

    /// The share of the cost limit that one picture may have; 0.1 by default.
    public var entryCostLimit: Double {
        get { pictures.limits.entryShare }
        set { pictures.limits.entryShare = newValue }
    }

    /// The cost of all pictures.
    public var totalCost: Int { pictures.totalCost }
    /// The number of pictures.
    public var totalCount: Int { pictures.totalCount }

    /// Removes pictures until they cost no more than so much.
    public func trim(toCost cost: Int) { pictures.trim(toCost: cost) }

    /// Removes pictures until there are no more than so many.
    public func trim(toCount count: Int) { pictures.trim(toCount: count) }

    /// Removes the pictures known by an identifier, and returns how many; looks at all keys.
    @discardableResult
    public func removeVariants(of identifier: String) -> Int {
        let keys = pictures.keys.filter { $0.isVariant(of: identifier) }
        for key in keys { pictures.remove(key) }
        return keys.count
    }

    /// Removes all pictures, and returns how many there were.
    @discardableResult
    public func removeAll() -> Int {
        defer { pictures.removeAll() }
        return pictures.totalCount
    }
}
