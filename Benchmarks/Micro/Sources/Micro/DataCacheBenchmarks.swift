import Foundation
import LazyBytes
import LazyCache

/// Writing and reading the disk, in a temporary folder.
struct DataCacheBenchmarks {
    let harness: Harness

    func run() throws {
        let folder = NSTemporaryDirectory() + "lazy-micro-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cache = try DataCache(folder: folder)
        for size in [10_000, 100_000, 1_000_000] {
            let data = Blob([UInt8](repeating: 7, count: size))
            let name = "\(size / 1000) KB"
            harness.measure("DataCache: write with flush, \(name)", operations: 20) {
                for number in 0..<20 { cache["\(size)/\(number)"] = data }
                cache.flush()
            }
            harness.measure("DataCache: read, \(name)", operations: 20) {
                for number in 0..<20 { use(try? cache["\(size)/\(number)"]?.bytes()) }
            }
        }
        let small = Blob([1, 2, 3])
        harness.measure("DataCache: staged write") { cache["staged"] = small }
        harness.measure("DataCache: staged read") { use(cache["staged"]) }
        cache.flush()
        harness.measure("DataCache: miss") { use(cache["nothing"]) }
        harness.measure("DataCache: contains") { use(cache.containsData(for: "10000/1")) }
    }
}
