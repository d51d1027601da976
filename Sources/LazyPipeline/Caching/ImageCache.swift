public import LazyBase
internal import LazyLoading
internal import LazyMedia

/// A memory cache of finished images with limits of cost, count and age.
///
/// The cost of an image is the memory of its poster and its encoded bytes; frames that are
/// decoded during playback are counted by the frame pool. An image of more than a tenth of the
/// cost limit is not stored. The least recently used image is evicted first, and memory pressure shrinks the cache.
/// The memory of many images that are removed at once returns to the system.
public final class ImageCache: ImageCaching {
    /// The shared cache.
    public static let shared = ImageCache()

    /// 15 % of the memory that this process may use, at most 768 MiB.
    public static let defaultCostLimit = min(SystemMemory.limit / 100 * 15, 805_306_368)

    private let pictures: MemoryCache<ImageCacheKey, ImageContainer>
    private let pressure: ObservationToken

    /// Creates an empty cache.
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
            BitmapPool.shared.removeUnused()
        }
    }

    /// The image of a key; reading counts as use, and setting nil removes it.
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

    /// The image of a request, as with `subscript(key:)`.
    public subscript(request: ImageRequest) -> ImageContainer? {
        get { self[ImageCacheKey(request)] }
        set { self[ImageCacheKey(request)] = newValue }
    }

    /// The cost of an image: its poster, its encoded bytes in memory, and one.
    public static func cost(of container: ImageContainer) -> Int {
        // A poster that is not decoded yet counts too, and is not decoded here.
        let poster = container.decodedImage?.byteCount ?? container.frames.info.size.rgbaByteCount
        return poster + container.bytesHeld + 1
    }

    /// The maximum total cost; lowering it evicts images at once.
    public var costLimit: Int {
        get { pictures.limits.cost }
        set { removingMany { pictures.limits.cost = newValue } }
    }

    /// The maximum number of images; lowering it evicts images at once.
    public var countLimit: Int {
        get { pictures.limits.count }
        set { removingMany { pictures.limits.count = newValue } }
    }

    /// The lifetime of images that are stored from now on, or nil for no limit.
    public var ttl: Duration? {
        get { pictures.limits.timeToLive }
        set { pictures.limits.timeToLive = newValue }
    }

    /// The maximum cost of one image as a fraction of the cost limit; 0.1 by default.
    public var entryCostLimit: Double {
        get { pictures.limits.entryShare }
        set { pictures.limits.entryShare = newValue }
    }

    /// The total cost of all images.
    public var totalCost: Int { pictures.totalCost }
    /// The number of images.
    public var totalCount: Int { pictures.totalCount }

    /// Evicts images until the total cost is at most a value.
    public func trim(toCost cost: Int) { removingMany { pictures.trim(toCost: cost) } }

    /// Evicts images until their number is at most a value.
    public func trim(toCount count: Int) { removingMany { pictures.trim(toCount: count) } }

    /// Removes the images with an identifier and returns their number; examines all keys.
    @discardableResult
    public func removeVariants(of identifier: String) -> Int {
        let keys = pictures.keys.filter { $0.isVariant(of: identifier) }
        removingMany { for key in keys { pictures.remove(key) } }
        return keys.count
    }

    /// Removes all images and returns their number.
    @discardableResult
    public func removeAll() -> Int {
        defer { removingMany { pictures.removeAll() } }
        return pictures.totalCount
    }

    private func removingMany(_ remove: () -> Void) {
        let before = totalCost
        remove()
        FreedMemory.giveBack(after: before - totalCost)
    }
}
