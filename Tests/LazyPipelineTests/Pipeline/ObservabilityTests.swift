import FoundationEssentials
import Glibc
import InMemoryTracing
import LazyBase
import LazyLoading
import Metrics
import MetricsTestKit
import Support
import Testing
import Tracing

@testable import LazyPipeline

/// What backends of swift-metrics and swift-distributed-tracing are told.
///
/// Each in a process of its own: a backend is chosen once in a process.
struct ObservabilityTests {
    @Test func `metrics count loads, hits and bytes, and measure the stages`() async {
        await #expect(processExitsWith: .success) {
            let backend = TestMetrics()
            MetricsSystem.bootstrap(backend)
            await loadAndFail()
            func total(_ label: String, _ dimensions: [(String, String)] = []) -> Int64 {
                let counter = try? backend.expectCounter(label, dimensions)
                return counter?.values.reduce(0, +) ?? -1
            }
            func times(_ stage: String) -> Int {
                let timer = try? backend.expectTimer("lazyimg.stage", [("stage", stage)])
                return timer?.values.count ?? -1
            }
            demand(total("lazyimg.loads.started") == 3, 1)
            demand(
                total("lazyimg.loads.succeeded") == 3, 30 + CInt(total("lazyimg.loads.succeeded")))
            demand(total("lazyimg.loads.failed") == 1, 3)
            demand(total("lazyimg.cache.hits", [("cache", "memory")]) == 1, 4)
            demand(total("lazyimg.cache.hits", [("cache", "disk")]) == 1, 5)
            let count = Int64(Given.gif().count)
            demand(total("lazyimg.bytes", [("from", "network")]) == count, 6)
            demand(total("lazyimg.bytes", [("from", "store")]) == count, 7)
            demand(times("fetch") == 2 && times("decode") == 2 && times("process") == 1, 8)
        }
    }

    @Test func `each stage is a child span of the caller's, with its error`() async {
        await #expect(processExitsWith: .success) {
            let tracer = InMemoryTracer()
            InstrumentationSystem.bootstrap(tracer)
            await withSpan("page") { _ in await loadAndFail() }
            let spans = tracer.finishedSpans
            let page = spans.first { $0.operationName == "page" }
            let stages = spans.filter { $0.operationName != "page" }
            let names = stages.map(\.operationName).sorted()
            demand(
                names == [
                    "lazyimg.decode", "lazyimg.decode", "lazyimg.fetch", "lazyimg.fetch",
                    "lazyimg.process",
                ], 1)
            demand(page != nil && stages.allSatisfy { $0.traceID == page?.traceID }, 2)
            demand(stages.allSatisfy { $0.parentSpanID == page?.spanID }, 3)
            demand(stages.count { !$0.errors.isEmpty } == 1, 4)
            demand(tracer.activeSpans.isEmpty, 5)
        }
    }
}

/// A load with a processor, the same from memory, one from the data cache, and one that fails.
private func loadAndFail() async {
    let loader = ScriptedLoader { request in
        request.url == Given.url("bad")
            ? .init(failure: LoadingError(.reset, "The connection broke.")) : .init([Given.gif()])
    }
    let pipeline = Given.pipeline(loader) {
        $0.imageCache = PlainImageCache()
        $0.dataCache = PlainDataCache()
    }
    let request = ImageRequest(url: Given.url(), processors: [.resize(width: 2)])
    for _ in 0..<2 { _ = try? await pipeline.image(for: request) }
    _ = try? await pipeline.image(for: Given.url())
    _ = try? await pipeline.image(for: Given.url("bad"))
}

private func demand(_ claim: Bool, _ status: CInt) { if !claim { exit(status) } }
