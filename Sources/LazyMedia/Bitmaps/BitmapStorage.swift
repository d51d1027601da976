/// Owns a bitmap's memory, and returns it when the last copy of the bitmap is gone.
///
/// Unchecked: the memory is written before the bitmap exists, or once by `DeferredPixels`, which
/// lets nobody read before; afterwards it is only read.
final class BitmapStorage: @unchecked Sendable {
    let block: Block
    /// What fills the memory on first access, or nil where it is filled already.
    let deferred: DeferredPixels?
    private let release: @Sendable () -> Void

    init(_ block: Block, deferred: DeferredPixels? = nil, release: @escaping @Sendable () -> Void) {
        self.block = block
        self.deferred = deferred
        self.release = release
    }

    deinit { release() }

    /// The memory, filled; the first access to deferred pixels waits for them.
    func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let bytes = UnsafeMutableRawBufferPointer(start: block.memory, count: count)
        deferred?.fill(bytes) { block.populate() }
        return bytes
    }
}
