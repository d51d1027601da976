import Foundation
import LazyBase
import LazyKit
import LazyLoading
import LazyMedia
import LazyPipeline
import Synchronization

/// What the data cache has of the first frames of files, at 640 pixels, by the encoders of the standard
/// configuration and by those that keep every bit.
///
///     micro stored FOLDER COUNT
struct StoredSizes {
    let folder: String
    let count: Int

    func run() async throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let standard = ImagePipeline.Configuration.withURLCache(nil, imageCache: nil)
        for (name, encoders) in [
            ("standard", standard.encoders),
            ("exact", standard.encoders.filter(\.canStoreAlpha)),
        ] {
            let cache = Counting()
            var configuration = standard
            configuration.encoders = encoders
            configuration.dataCache = cache
            configuration.dataCachePolicy = .storeEncodedImages
            let pipeline = ImagePipeline(configuration: configuration)
            var done = 0
            let clock = ContinuousClock()
            let start = clock.now
            for file in files where done < count {
                var request = ImageRequest(url: URL(filePath: folder + "/" + file))
                request.selection = .poster(.first)
                request.processors = [.resize(width: 640)]
                if (try? await pipeline.image(for: request)) != nil { done += 1 }
            }
            await pipeline.flush()
            print(
                "\(name): \(cache.bytes / max(1, done)) bytes for each of \(done), "
                    + "\(Int(((clock.now - start).seconds * 1000).rounded())) ms")
        }
    }
}

/// Counts what it is given, and has nothing.
private final class Counting: DataCaching {
    private let sum = Mutex(0)
    var bytes: Int { sum.withLock { $0 } }

    func cachedData(for key: String) -> Blob? { nil }
    func cachedEntry(for key: String) -> CachedData? { nil }
    func containsData(for key: String) -> Bool { false }
    func storeData(_ data: Blob, for key: String) { sum.withLock { $0 += data.count } }
    func storeData(_ data: Blob, metadata: [UInt8], for key: String) { storeData(data, for: key) }
    func removeData(for key: String) {}
    func removeVariants(of key: String) -> RemovedEntries { RemovedEntries() }
    func removeAll() -> RemovedEntries { RemovedEntries() }
    func flush() {}
}
