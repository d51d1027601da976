internal import LazyBase
internal import LazyMedia

/// Collects the bytes of parts in memory.
final class CollectedParts: Rendition.Sinks {
    private final class Bytes: Rendition.Sink {
        private let bytes = Locked<[UInt8]>([])
        private let didFinish: @Sendable ([UInt8]) -> Void

        init(_ didFinish: @escaping @Sendable ([UInt8]) -> Void) { self.didFinish = didFinish }

        func write(_ piece: UnsafeRawBufferPointer) {
            bytes.withLock { $0.append(contentsOf: piece) }
        }

        func finish() { didFinish(bytes.withLock { $0 }) }
    }

    private let parts = Locked<[Rendition.Part: [UInt8]]>([:])

    func open(_ part: Rendition.Part, as type: MediaType) -> any Rendition.Sink {
        Bytes { [self] bytes in parts.withLock { $0[part] = bytes } }
    }

    /// The bytes of a complete part.
    subscript(part: Rendition.Part) -> [UInt8]? { parts.withLock { $0[part] } }
}
