internal import LazyBase
internal import LazyMedia
internal import LazyRenditions
internal import Metrics

/// Receives the parts of a rendition: in memory while they are small, else in temporary files.
final class SpooledParts: Rendition.Sinks {
    private final class Part: Rendition.Sink {
        let type: MediaType
        let spool = Locked(Spool())
        private let didWrite: @Sendable (Int) -> Void

        init(_ type: MediaType, _ didWrite: @escaping @Sendable (Int) -> Void) {
            self.type = type
            self.didWrite = didWrite
        }

        func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
            try spool.withLock { (spool: inout Spool) throws(MediaError) in
                try spool.append(bytes)
            }
            didWrite(bytes.count)
        }

        func finish() {}
    }

    private let parts = Locked<[Rendition.Part: Part]>([:])
    private let written = Locked((count: 0, told: 0))
    private let metrics: PipelineMetrics
    private let tell: @Sendable (Int) -> Void

    /// Makes empty parts; `tell` is called with the number of bytes so far, every 64 kB.
    init(_ metrics: PipelineMetrics, tell: @escaping @Sendable (Int) -> Void) {
        self.metrics = metrics
        self.tell = tell
        metrics.openSpools.increment()
    }

    deinit { metrics.openSpools.decrement() }

    /// Frames are not kept: a film has thousands, and one of them is a poster.
    func open(
        _ part: Rendition.Part, as type: MediaType
    ) throws(MediaError) -> any Rendition.Sink {
        if case .frame = part {
            throw MediaError(
                .notWritable, "Frames are made into files; one of them is a poster of its number.")
        }
        let sink = Part(type) { [weak self] in self?.didWrite($0) }
        parts.withLock { $0[part] = sink }
        return sink
    }

    /// The bytes of all parts; nothing is written after it.
    func take() -> [Rendition.Part: (type: MediaType, body: Blob)] {
        parts.withLock { parts in
            defer { parts = [:] }
            return parts.mapValues { part in
                (part.type, part.spool.withLock { (spool: inout Spool) in spool.takeBlob() })
            }
        }
    }

    private func didWrite(_ count: Int) {
        metrics.renderedBytes.increment(by: count)
        let due = written.withLock { written -> Int? in
            written.count += count
            guard written.count - written.told >= 1 << 16 || written.told == 0 else { return nil }
            written.told = written.count
            return written.count
        }
        if let due { tell(due) }
    }
}
