// A process that fills an image cache with 120 MB of pictures and empties it, four times; or shows as much in a
// frame pool, and releases its viewers one by one.
//
//     MemoryWorker WIDTH HEIGHT all|limit|pressure|released|pipeline|pool
//
// Prints three numbers for each round, in bytes: the cost of the cache, what is resident, and what is resident
// soon after it was emptied. In a process of its own, since others would use what is given back.
import Glibc
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline

let words = CommandLine.arguments
guard words.count == 4, let width = Int(words[1]), let height = Int(words[2]) else {
    print("usage: MemoryWorker WIDTH HEIGHT all|limit|pressure|released|pipeline|pool")
    exit(2)
}
let size = PixelSize(width: width, height: height)
let byteCount = 120_000_000
let pressure = MemoryPressure()
func makeCache() -> ImageCache { ImageCache(costLimit: byteCount * 2, pressure: pressure) }
var cache = makeCache()
func makePipeline() -> ImagePipeline {
    var configuration = ImagePipeline.Configuration(
        dataLoader: NoLoader(), decoders: DecoderRegistry())
    configuration.imageCache = makeCache()
    return ImagePipeline(configuration: configuration)
}
var pipeline = makePipeline()
func makePool() -> FramePool { FramePool(budget: byteCount * 2) }
var pool = makePool()
var viewers: [FrameViewer] = []

struct NoLoader: DataLoading {
    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        throw LoadingError(.cancelled, "Nothing is loaded here.")
    }
}

func resident() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var (whole, resident) = (0, 0)
    withUnsafeMutablePointer(to: &whole) { whole in
        withUnsafeMutablePointer(to: &resident) { resident in
            _ = withVaList([whole, resident]) { vfscanf(file, "%ld %ld", $0) }
        }
    }
    return resident * sysconf(CInt(_SC_PAGESIZE))
}

@MainActor func show(_ bitmap: Bitmap) async throws {
    let viewer = pool.viewer(of: FrameSequence(StillMedia(bitmap), limits: .local))
    _ = try await viewer.frame(0)
    viewers.append(viewer)
}

for _ in 0..<4 {
    cache.costLimit = byteCount * 2
    for number in 0..<byteCount / size.rgbaByteCount {
        let bitmap = try Bitmap(size: size, isOpaque: true) { rows in
            rows.initializeMemory(as: UInt8.self, repeating: UInt8(number & 255))
        }
        let image = (ImageCacheKey(key: "\(number)"), ImageContainer(still: bitmap))
        switch words[3] {
        case "pipeline": pipeline.configuration.imageCache?[image.0] = image.1
        case "pool": try await show(bitmap)
        default: cache[image.0] = image.1
        }
    }
    let full = resident()
    let inPipeline = (pipeline.configuration.imageCache as? ImageCache)?.totalCost ?? 0
    let cost = cache.totalCost + inPipeline + pool.bytesInUse
    switch words[3] {
    case "released": cache = makeCache()
    case "pipeline": pipeline = makePipeline()
    case "pool":
        while !viewers.isEmpty { viewers.removeLast() }
        pool = makePool()
    case "limit": cache.costLimit = 1000
    case "pressure": pressure.report(.critical)
    default: cache.removeAll()
    }
    // What is given back on another thread is soon gone; the pool of bitmaps keeps 32 MB, but not under pressure.
    let enough = words[3] == "pressure" ? 60_000_000 : 90_000_000
    var empty = resident()
    for _ in 0..<100 where empty > enough {
        usleep(20_000)
        empty = min(empty, resident())
    }
    print(cost, full, empty)
}
