internal import CSandbox
internal import Glibc
internal import LazyBase
internal import LazyMedia

/// Memory that a host and a decoder have in common, mapped until the last reference is gone.
///
/// Unchecked: what is in it is never trusted, and nothing but pixels is read from it.
final class SharedMemory: @unchecked Sendable {
    private let bytes: UnsafeMutableRawBufferPointer

    /// Maps an open file of this size.
    ///
    /// What will be `written` soon costs one call instead of a fault for each page.
    init(
        _ descriptor: CInt, byteCount: Int, writes: Bool, written: Int = 0
    ) throws(MediaError) {
        let memory = mmap(
            nil, byteCount, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else {
            throw MediaError(
                .environment, "There is no memory for a frame of \(byteCount) bytes.",
                underlying: SystemError.last)
        }
        bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
        if writes { FreshMemory.populate(.init(start: memory, count: min(written, byteCount))) }
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }

    /// The number of bytes.
    var count: Int { bytes.count }

    /// Provides the bytes to a closure; the pointer is valid only inside it, or as long as this object.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(bytes)
    }

    /// Copies a part that is read once.
    ///
    /// What is copied of a large part leaves this process behind the copy, so that a picture is not in its memory
    /// twice. It stays the memory of the decoder, which may use it again.
    func copy(_ part: Range<Int>, to target: UnsafeMutableRawBufferPointer) {
        let step = part.count < Self.leastReleased ? max(1, part.count) : Self.bandBytes
        for start in stride(from: part.lowerBound, to: part.upperBound, by: step) {
            let band = start..<min(start + step, part.upperBound)
            UnsafeMutableRawBufferPointer(rebasing: target[(start - part.lowerBound)...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[band]))
            if step < part.count { unmap(band) }
        }
    }

    /// Ends the use of a part that was read in place; a large one leaves this process.
    func release(_ part: Range<Int>) { if part.count >= Self.leastReleased { unmap(part) } }

    /// From how many bytes on it is worth mapping the pages of a part again when its next picture is read.
    private static let leastReleased = 16 << 20
    private static let bandBytes = 2 << 20

    /// Unmaps the pages of a part until they are read again; their content stays.
    private func unmap(_ part: Range<Int>) {
        let page = sysconf(CInt(_SC_PAGESIZE))
        let first = part.lowerBound / page * page
        let error = errno
        madvise(bytes.baseAddress.map { $0 + first }, part.upperBound - first, MADV_DONTNEED)
        errno = error
    }

    /// Makes memory whose size nobody can change; it is mapped for reading.
    static func make(byteCount: Int) throws(MediaError) -> (SharedMemory, FileDescriptor) {
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor(checking: sandbox_memory(byteCount))
        } catch { throw error.mediaError("make", "memory for frames") }
        return (try SharedMemory(file.number, byteCount: byteCount, writes: false), file)
    }
}

extension ReaderOptions {
    /// Where the pixels of a frame are in a slot, and how large a slot is.
    func slotLayout(of size: PixelSize) -> SlotLayout { SlotLayout(size, self) }
}

/// The places of a frame's parts in its slot.
struct SlotLayout: Hashable {
    /// Bytes of the pixels: RGBA8, or RGBA16 where frames keep their depth.
    let pixelBytes: Int
    /// Where RGBA8 or planes begin behind the pixels.
    let second: Int
    /// Bytes of a slot.
    let byteCount: Int

    fileprivate init(_ size: PixelSize, _ options: ReaderOptions) {
        let pixels = options.keepsDepth ? size.deepByteCount : size.rgbaByteCount
        // Scalers write groups of pixels, up to 64 bytes behind the end.
        second = (pixels + 64 + 63) & ~63
        let planes = options.planes ? PlanarPicture.Layout(size).byteCount : 0
        pixelBytes = pixels
        byteCount = (second + planes + 4095) & ~4095
    }
}
