import Foundation
import LazyBase
import LazyMedia
import LazyPipeline

/// Nuke's benchmarks of its `ImageCache`, by their names.
struct ImageCacheBenchmarks {
    let harness: Harness
    let requests = Pictures.requests(10_000)
    let pictures = (0..<10_000).map { _ in Pictures.picture() }

    func cache(cost: Int = 1 << 30, count: Int = .max, ttl: Duration? = nil) -> ImageCache {
        ImageCache(costLimit: cost, countLimit: count, ttl: ttl, pressure: MemoryPressure())
    }

    func filled(_ cache: ImageCache, count: Int = 1000) -> any ImageCaching {
        for index in 0..<count { cache[requests[index]] = pictures[index] }
        return cache
    }

    func run() {
        let keys = requests.map { ImageCacheKey($0) }
        writing(keys)
        reading(keys)
        evicting(keys)
        concurrent(keys)
        keyWork()
    }

    private func writing(_ keys: [ImageCacheKey]) {
        harness.measure("ImageCache: write", operations: 1000) {
            let cache = self.cache()
            for index in 0..<1000 { cache[keys[index]] = pictures[index] }
        }
        let cache = filled(self.cache())
        harness.measure("ImageCache: replacement", operations: 1000) {
            for index in 0..<1000 { cache[keys[index]] = pictures[index] }
        }
        harness.measure("ImageCache: write and remove", operations: 1000) {
            for index in 0..<1000 { cache[keys[index]] = pictures[index] }
            for index in 0..<1000 { cache[keys[index]] = nil }
        }
        harness.measure("ImageCache: oversize rejection", operations: 1000) {
            let small = self.cache(cost: 1000)
            for index in 0..<1000 { small[keys[index]] = pictures[index] }
        }
    }

    private func reading(_ keys: [ImageCacheKey]) {
        let cache = filled(self.cache())
        harness.measure("ImageCache: hit", operations: 1000) {
            for index in 0..<1000 { use(cache[keys[index]]) }
        }
        harness.measure("ImageCache: hit with URLRequest", operations: 1000) {
            for index in 0..<1000 { use(cache[ImageCacheKey(requests[index])]) }
        }
        harness.measure("ImageCache: miss", operations: 1000) {
            for index in 1000..<2000 { use(cache[keys[index]]) }
        }
        harness.measure("ImageCache: mixed 80/20", operations: 1000) {
            for index in 0..<1000 {
                if index % 5 == 0 {
                    cache[keys[index]] = pictures[index]
                } else {
                    use(cache[keys[index]])
                }
            }
        }
        for (name, change) in changes {
            var changed = requests[0]
            change(&changed)
            let key = ImageCacheKey(changed)
            cache[key] = pictures[0]
            harness.measure("ImageCache: hit with \(name)") { use(cache[key]) }
            harness.measure("ImageCache: hit with URLRequest and \(name)") {
                use(cache[ImageCacheKey(changed)])
            }
        }
        let custom = ImageCacheKey(key: "custom key")
        cache[custom] = pictures[0]
        harness.measure("ImageCache: hit with custom string key") { use(cache[custom]) }
        let aging = filled(self.cache(ttl: .seconds(3600)))
        harness.measure("ImageCache: hit with TTL", operations: 1000) {
            for index in 0..<1000 { use(aging[keys[index]]) }
        }
    }

    private var changes: [(String, (inout ImageRequest) -> Void)] {
        [
            (
                "processors",
                {
                    $0.processors = [
                        Nothing(identifier: "resize?w=100"), Nothing(identifier: "circle"),
                    ]
                }
            ),
            ("thumbnail", { $0.thumbnail = .init(maxPixelSize: 200) }),
        ]
    }

    private func evicting(_ keys: [ImageCacheKey]) {
        let byCount = filled(self.cache(count: 500))
        harness.measure("ImageCache: eviction by count", operations: 10_000) {
            for index in 0..<10_000 { byCount[keys[index]] = pictures[index] }
        }
        let byCost = filled(self.cache(cost: 500 * 401))
        harness.measure("ImageCache: eviction by cost", operations: 10_000) {
            for index in 0..<10_000 { byCost[keys[index]] = pictures[index] }
        }
        harness.measure("ImageCache: fill and trim", operations: 1000) {
            let cache = self.cache()
            for index in 0..<1000 { cache[keys[index]] = pictures[index] }
            cache.trim(toCount: 100)
        }
        harness.measure("ImageCache: TTL expiry", operations: 1000) {
            let cache = self.cache(ttl: .zero)
            for index in 0..<1000 { cache[keys[index]] = pictures[index] }
            for index in 0..<1000 { use(cache[keys[index]]) }
        }
    }

    private func concurrent(_ keys: [ImageCacheKey]) {
        let cache = filled(self.cache())
        harness.measure("ImageCache: hits of 2 threads together", operations: 200_000) {
            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                for step in 0..<100_000 { use(cache[keys[(step + worker * 500) % 1000]]) }
            }
        }
        harness.measure("ImageCache: hits of 2 threads on one key", operations: 200_000) {
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
                for _ in 0..<100_000 { use(cache[keys[7]]) }
            }
        }
        harness.measure("ImageCache: mixed 80/20 of 2 threads", operations: 200_000) {
            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                for step in 0..<100_000 {
                    let index = (step + worker * 500) % 1000
                    if step % 5 == 0 {
                        cache[keys[index]] = pictures[index]
                    } else {
                        use(cache[keys[index]])
                    }
                }
            }
        }
    }

    private func keyWork() {
        harness.measure("ImageCacheKey: construction", operations: 1000) {
            for index in 0..<1000 { use(ImageCacheKey(requests[index])) }
        }
        let key = ImageCacheKey(requests[0])
        let same = ImageCacheKey(requests[0])
        let other = ImageCacheKey(requests[1])
        harness.measure("ImageCacheKey: hashing") { use(key.hashValue) }
        harness.measure("ImageCacheKey: equality") { use(key == same) }
        harness.measure("ImageCacheKey: inequality") { use(key == other) }
    }
}
