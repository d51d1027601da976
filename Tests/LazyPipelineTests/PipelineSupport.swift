import FoundationEssentials
import LazyBase
import LazyCodecs
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// Small GIFs, addresses and pipelines for tests.
enum Given {
    static func gif(frames: Int = 1, width: Int = 4, height: Int = 4, color: UInt32 = 0xFF0000)
        -> [UInt8]
    {
        var forge = GIFForge(width: width, height: height, palette: [color, 0x00FF00])
        forge.loop(0)
        for frame in 0..<frames {
            forge.control(delay: 10)
            forge.image(
                width: width, height: height,
                indices: Array(repeating: UInt8(frame % 2), count: width * height))
        }
        forge.trailer()
        return forge.bytes
    }

    static func url(_ name: String = "a.gif") -> URL {
        guard let url = URL(string: "http://example.test/\(name)") else {
            preconditionFailure("\(name) makes no address")
        }
        return url
    }

    static func loader(
        pieces: Int = 1, gate: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> ScriptedLoader {
        ScriptedLoader { _ in ScriptedLoader.Answer(split(gif(), pieces), gate: gate) }
    }

    static func split(_ bytes: [UInt8], _ count: Int) -> [[UInt8]] {
        let size = (bytes.count + count - 1) / count
        return stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
    }

    static func pipeline(
        _ loader: any DataLoading, delegate: (any ImagePipelineDelegate)? = nil,
        _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration(
            dataLoader: loader, decoders: DecoderRegistry(formats: [.gif]))
        configuration.isRateLimiterEnabled = false
        configure(&configuration)
        return ImagePipeline(configuration: configuration, delegate: delegate)
    }
}

/// A gate that is shut until a test opens it.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var arrived = 0
    }
    private let state = Locked(State())

    /// Waits until the gate is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, ready) = state.withLock { state in
                state.arrived += 1
                let arrived = state.arrived
                if !state.isOpen { state.waiting.append(continuation) }
                let ready = state.watchers.filter { $0.count <= arrived }.map(\.continuation)
                state.watchers.removeAll { $0.count <= arrived }
                return (state.isOpen, ready)
            }
            for watcher in ready { watcher.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until so many have come to the gate.
    func waitForArrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrived < count { state.watchers.append((count, continuation)) }
                return state.arrived >= count
            }
            if isThere { continuation.resume() }
        }
    }

    /// Opens the gate for good.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }
}

/// A memory cache without bounds that counts what is asked of it.
final class PlainImageCache: ImageCaching {
    private struct State {
        var images: [ImageCacheKey: ImageContainer] = [:]
        var reads = 0
        var writes = 0
    }
    private let state = Locked(State())

    var count: Int { state.withLock { $0.images.count } }
    var writes: Int { state.withLock { $0.writes } }

    subscript(key: ImageCacheKey) -> ImageContainer? {
        get {
            state.withLock {
                $0.reads += 1
                return $0.images[key]
            }
        }
        set {
            state.withLock {
                $0.writes += 1
                $0.images[key] = newValue
            }
        }
    }

    func removeVariants(of identifier: String) -> Int {
        state.withLock { state in
            let before = state.images.count
            state.images = state.images.filter { !$0.key.isVariant(of: identifier) }
            return before - state.images.count
        }
    }

    func removeAll() -> Int {
        state.withLock { state in
            defer { state.images = [:] }
            return state.images.count
        }
    }
}

/// A data cache in memory.
final class PlainDataCache: DataCaching {
    private let entries = Locked<[String: CachedData]>([:])

    var keys: [String] { entries.withLock { $0.keys.sorted() } }

    func cachedData(for key: String) -> Blob? { cachedEntry(for: key)?.data }
    func cachedEntry(for key: String) -> CachedData? { entries.withLock { $0[key] } }
    func containsData(for key: String) -> Bool { entries.withLock { $0[key] != nil } }
    func storeData(_ data: Blob, for key: String) { storeData(data, metadata: [], for: key) }
    func storeData(_ data: Blob, metadata: [UInt8], for key: String) {
        entries.withLock { $0[key] = CachedData(data: data, metadata: metadata) }
    }
    func removeData(for key: String) { entries.withLock { $0[key] = nil } }
    func removeVariants(of key: String) -> RemovedEntries {
        entries.withLock { entries in
            let kept = entries.filter { !EntryGroup.contains($0.key, in: EntryGroup.of(key)) }
            defer { entries = kept }
            return RemovedEntries(count: entries.count - kept.count)
        }
    }
    func removeAll() -> RemovedEntries {
        entries.withLock { entries in
            defer { entries = [:] }
            return RemovedEntries(count: entries.count)
        }
    }
    func flush() {}
}

/// Counts how often it works; turns pictures into themselves.
struct CountingProcessor: ImageProcessing {
    let identifier: String
    let count = Counter()

    func outputSize(for size: PixelSize) -> PixelSize { size }

    func process(_ bitmap: Bitmap, context: ProcessingContext) throws(ProcessingError) -> Bitmap {
        count.add()
        return bitmap
    }
}

/// A number that threads add to.
final class Counter: Sendable {
    private let number = Locked((now: 0, most: 0))
    var value: Int { number.withLock { $0.now } }
    var most: Int { number.withLock { $0.most } }
    func add(_ more: Int = 1) {
        number.withLock {
            $0.now += more
            $0.most = max($0.most, $0.now)
        }
    }
}
