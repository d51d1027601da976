internal import LazyBase
internal import Metrics

/// The metrics of a pipeline.
final class PipelineMetrics: Sendable {
    let started = Counter(label: "lazyimg.loads.started")
    let succeeded = Counter(label: "lazyimg.loads.succeeded")
    let failed = Counter(label: "lazyimg.loads.failed")
    let cancelled = Counter(label: "lazyimg.loads.cancelled")
    let coalesced = Counter(label: "lazyimg.loads.coalesced")
    let memoryHits = Counter(label: "lazyimg.cache.hits", dimensions: [("cache", "memory")])
    let diskHits = Counter(label: "lazyimg.cache.hits", dimensions: [("cache", "disk")])
    let networkBytes = Counter(label: "lazyimg.bytes", dimensions: [("from", "network")])
    let storeBytes = Counter(label: "lazyimg.bytes", dimensions: [("from", "store")])
    let queued = Timer(label: "lazyimg.stage", dimensions: [("stage", "queue")])
    let fetching = Timer(label: "lazyimg.stage", dimensions: [("stage", "fetch")])
    let decoding = Timer(label: "lazyimg.stage", dimensions: [("stage", "decode")])
    let processing = Timer(label: "lazyimg.stage", dimensions: [("stage", "process")])
    let encoding = Timer(label: "lazyimg.stage", dimensions: [("stage", "encode")])
    let rendering = Timer(label: "lazyimg.stage", dimensions: [("stage", "render")])
    /// Bytes that encoders have written, and the renditions that they are writing now.
    let renderedBytes = Counter(label: "lazyimg.bytes", dimensions: [("from", "render")])
    let openSpools = Meter(label: "lazyimg.spools")

    func timer(of stage: Stage) -> Timer {
        switch stage {
        case .loading: fetching
        case .decoding: decoding
        case .processing: processing
        case .encoding: encoding
        case .rendering: rendering
        }
    }
}

extension Timer {
    func record(_ length: Duration) {
        recordNanoseconds(length.nanoseconds)
    }
}
