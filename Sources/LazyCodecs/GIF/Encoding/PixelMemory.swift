internal import Glibc
internal import LazyMedia

/// Memory with one value for each pixel of a canvas.
///
/// Unchecked: in each phase every thread has its own rows or frames, and phases do not overlap.
final class PixelMemory<Value: BitwiseCopyable>: @unchecked Sendable {
    let values: UnsafeMutablePointer<Value>
    let count: Int

    /// Allocates zeroed memory.
    init(_ size: PixelSize) throws(MediaError) {
        count = size.pixelCount
        guard let memory = calloc(count, MemoryLayout<Value>.stride) else {
            throw MediaError(.environment, "There is no memory for a frame of \(size).")
        }
        values = memory.bindMemory(to: Value.self, capacity: count)
    }

    deinit { free(values) }

    func copy(_ other: PixelMemory) { values.update(from: other.values, count: count) }
}
