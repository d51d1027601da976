internal import LazyBase
internal import Synchronization

/// Pixels that are written on first access, once, on the thread of that access.
final class DeferredPixels: Sendable {
    /// Writes all rows.
    typealias Writer = @Sendable (UnsafeMutableRawBufferPointer) -> Void

    private let isWritten = Atomic<Bool>(false)
    private let writer: Locked<Writer?>

    init(_ writer: @escaping Writer) { self.writer = Locked(writer) }

    /// Whether the rows are written.
    var isFilled: Bool { isWritten.load(ordering: .acquiring) }

    /// Writes the rows unless they are written, after `prepare`, and releases what the writer holds.
    ///
    /// The lock belongs to one picture: only accesses to the same rows wait.
    func fill(_ rows: UnsafeMutableRawBufferPointer, prepare: () -> Void) {
        guard !isWritten.load(ordering: .acquiring) else { return }
        let spent = writer.withLock { writer -> Writer? in
            guard let write = writer else { return nil }
            prepare()
            write(rows)
            isWritten.store(true, ordering: .releasing)
            return writer.take()
        }
        withExtendedLifetime(spent) {}
    }
}
