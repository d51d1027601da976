import Foundation
import LazyBase
import LazyKit
import LazyLoading
import LazyMedia
import LazyPipeline

/// Fills an image cache with loads of one picture by many names, empties it, and does so again.
///
///     micro growth rounds COUNT FILE
///
/// Prints a JSON line for each round: seconds of a load, and MiB that are resident in between.
struct CacheRounds {
    let count: Int
    let file: String
    private static let limit = 1 << 31
    private static let rounds = 4

    func run() async throws {
        let loader = SameBytes(blob: Blob([UInt8](try Data(contentsOf: URL(filePath: file)))))
        let cache = ImageCache(costLimit: Self.limit, pressure: MemoryPressure())
        var configuration = ImagePipeline.Configuration(dataLoader: loader, decoders: .standard)
        configuration.imageCache = cache
        configuration.isRateLimiterEnabled = false
        let pipeline = ImagePipeline(configuration: configuration)
        for round in 1...Self.rounds {
            let seconds = await ContinuousClock().measure { await fill(pipeline) }.seconds
            let (full, cost) = (Self.resident, Double(cache.totalCost) / 1_048_576)
            cache.removeAll()
            // What is given back beside is soon over.
            try await Task.sleep(for: .seconds(1))
            print(
                "{\"amount\": \(round), \"seconds\": \(seconds / Double(count)), "
                    + "\"cost\": \(cost), \"full\": \(full), \"empty\": \(Self.resident)}")
        }
    }

    private func fill(_ pipeline: ImagePipeline) async {
        await withTaskGroup(of: Void.self) { group in
            for request in Pictures.requests(count) {
                group.addTask { try? await pipeline.image(for: request).withBytes { _ in } }
            }
        }
    }

    /// What is resident of this process in MiB.
    private static var resident: Double {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = fields.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        return pages * Double(sysconf(CInt(_SC_PAGESIZE))) / 1_048_576
    }
}

/// Answers each request with the same bytes.
private struct SameBytes: DataLoading {
    let blob: Blob

    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        LoadResponse(
            head: ResponseHead(url: request.url, origin: .network), body: LoadBody(blob))
    }
}
