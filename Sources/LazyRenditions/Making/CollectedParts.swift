internal import LazyBase
internal import LazyMedia

/// Collects the bytes of parts in memory.
final class CollectedParts: Rendition.Sinks {
    private final class Part: Rendition.Sink {
        let bytes = CollectedBytes()

        func write(_ piece: UnsafeRawBufferPointer) { bytes.append(Array(piece)) }
        func finish() {}
    }

    private let parts = Locked<[Rendition.Part: Part]>([:])

    func open(_ part: Rendition.Part, as type: MediaType) -> any Rendition.Sink {
        let sink = Part()
        parts.withLock { $0[part] = sink }
        return sink
    }

    /// The bytes of all parts so far.
    var all: [Rendition.Part: [UInt8]] { parts.withLock { $0 }.mapValues(\.bytes.all) }
}
