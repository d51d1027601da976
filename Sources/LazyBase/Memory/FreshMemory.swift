internal import Glibc

/// Memory that was just allocated.
package enum FreshMemory {
    /// Gives memory that is about to be written completely its pages in one call.
    ///
    /// A page fault costs several times what clearing its page does. Only pages that lie within the memory are taken.
    /// Before Linux 5.14 nothing happens, and pages come one by one.
    package static func populate(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        let first = (UInt(bitPattern: start) + pageSize - 1) & ~(pageSize - 1)
        let end = (UInt(bitPattern: start) + UInt(memory.count)) & ~(pageSize - 1)
        guard first < end else { return }
        let error = errno
        madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), populateForWriting)
        errno = error
    }

    /// From how many bytes on memory of `malloc` is worth it; less is mostly recycled and has its pages.
    package static let leastAllocation = 256 << 10

    // The smallest that Linux has; a larger one refuses the call.
    private static let pageSize: UInt = 4096
    // MADV_POPULATE_WRITE; Swift's Glibc module does not have it.
    private static let populateForWriting: CInt = 23
}
