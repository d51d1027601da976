import Synchronization

/// A switch that ends work in another thread, down to the C library; once set it stays set.
public final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Makes a flag that is not set.
    public init() {}

    /// Whether the work is to end.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Ends the work.
    public func cancel() { flag.store(true, ordering: .relaxed) }
}
