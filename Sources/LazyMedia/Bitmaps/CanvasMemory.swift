import Synchronization

/// Memory that a decoder draws on, lends as a bitmap, and draws on again once that is freed.
///
/// Where little changes between frames this avoids copying the rest: the decoder keeps a few
/// canvases and knows what each of them shows.
package final class CanvasMemory: @unchecked Sendable {
    // Unchecked: only its owner writes the memory, and only while it is not lent.
    private let block: Block
    private let pool: BitmapPool
    private let lent = Atomic<Bool>(false)
    /// Width and height in pixels.
    package let size: PixelSize

    /// Whether the memory was zeroed when it was made; otherwise its content is undefined.
    package var beganCleared: Bool { block.isZeroed }

    /// Allocates memory for a picture.
    package init(size: PixelSize, pool: BitmapPool = .shared) throws(MediaError) {
        self.size = size
        self.pool = pool
        block = try pool.block(byteCount: size.rgbaByteCount)
        block.populate()
    }

    deinit { pool.recycle(block) }

    /// Whether a bitmap of it still exists.
    package var isLent: Bool { lent.load(ordering: .acquiring) }

    /// Provides the rows for writing; they must not be lent as a bitmap.
    package func withMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(!isLent, "a bitmap is immutable")
        return try body(.init(start: block.memory, count: size.rgbaByteCount))
    }

    /// Provides the rows for reading.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(.init(start: block.memory, count: size.rgbaByteCount))
    }

    /// Makes a bitmap of the rows without copying them; they must not be lent already.
    package func lend(isOpaque: Bool) -> Bitmap {
        precondition(!isLent, "one bitmap at a time")
        lent.store(true, ordering: .relaxed)
        let storage = BitmapStorage(block) { self.lent.store(false, ordering: .releasing) }
        return Bitmap(size: size, isOpaque: isOpaque, storage: storage)
    }
}
