// A process that fills an image cache with 120 MB of pictures and empties it, four times.
//
//     MemoryWorker WIDTH HEIGHT all|limit|pressure|released
//
// Prints three numbers for each round, in bytes: the cost of the cache, what is resident, and what is resident
// soon after it was emptied. In a process of its own, since others would use what is given back.
import Glibc
import LazyBase
import LazyMedia
import LazyPipeline

let words = CommandLine.arguments
guard words.count == 4, let width = Int(words[1]), let height = Int(words[2]) else {
    print("usage: MemoryWorker WIDTH HEIGHT all|limit|pressure|released")
    exit(2)
}
let size = PixelSize(width: width, height: height)
let byteCount = 120_000_000
let pressure = MemoryPressure()
func makeCache() -> ImageCache { ImageCache(costLimit: byteCount * 2, pressure: pressure) }
var cache = makeCache()

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

for _ in 0..<4 {
    cache.costLimit = byteCount * 2
    for number in 0..<byteCount / size.rgbaByteCount {
        let bitmap = try Bitmap(size: size, isOpaque: true) { rows in
            rows.initializeMemory(as: UInt8.self, repeating: UInt8(number & 255))
        }
        cache[ImageCacheKey(key: "\(number)")] = ImageContainer(still: bitmap)
    }
    let (cost, full) = (cache.totalCost, resident())
    switch words[3] {
    case "released": cache = makeCache()
    case "limit": cache.costLimit = 1000
    case "pressure": pressure.report(.critical)
    default: cache.removeAll()
    }
    // What is given back on another thread is soon gone.
    var empty = resident()
    for _ in 0..<100 where empty > 60_000_000 {
        usleep(20_000)
        empty = min(empty, resident())
    }
    print(cost, full, empty)
}
