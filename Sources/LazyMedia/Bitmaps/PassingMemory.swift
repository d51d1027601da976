import Glibc
internal import LazyBase

/// Memory for all rows of a picture that come from the top and are needed for a while only: what was released has no pages.
package final class PassingMemory {
    /// The first row.
    package let start: UnsafeMutableRawPointer
    private let byteCount: Int
    private let mapping: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var released = 0

    /// What is released at a time: a huge page, and a multiple of every page size.
    private static let unit = 2 << 20

    /// Reserves memory, which has no pages before it is written.
    package init(byteCount: Int) throws(MediaError) {
        let length = byteCount + Self.unit
        let access = PROT_READ | PROT_WRITE
        guard let memory = mmap(nil, length, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else {
            throw MediaError(.environment, "There is no memory for a frame of \(byteCount) bytes.")
        }
        mapping = UnsafeMutableRawBufferPointer(start: memory, count: length)
        start = memory + (-Int(bitPattern: memory) & (Self.unit - 1))
        self.byteCount = byteCount
        // A page fault for 4 KB costs as much as filling them.
        if byteCount >= 2 * Self.unit { madvise(start, byteCount, MADV_HUGEPAGE) }
    }

    deinit { munmap(mapping.baseAddress, mapping.count) }

    /// Copies the next rows behind those that are there.
    package func append(_ rows: UnsafeRawBufferPointer) {
        precondition(rows.count <= byteCount - filled, "more rows than the picture has")
        UnsafeMutableRawBufferPointer(start: start + filled, count: rows.count)
            .copyMemory(from: rows)
        filled += rows.count
    }

    /// Gives the pages back that lie before an offset.
    package func release(upTo end: Int) {
        let end = end & ~(Self.unit - 1)
        guard end > released else { return }
        let error = errno
        madvise(start + released, end - released, MADV_DONTNEED)
        errno = error
        released = end
    }
}
