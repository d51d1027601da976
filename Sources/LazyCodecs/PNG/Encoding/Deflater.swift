internal import CKernels
internal import LazyMedia

/// Owns an ISA-L stream, reused for each picture.
struct Deflater: ~Copyable {
    private let handle: OpaquePointer

    init() throws(MediaError) {
        guard let handle = cscanline_deflater_make() else {
            throw MediaError(.environment, "There is no memory for compressing a PNG.")
        }
        self.handle = handle
        LiveHandles.didOpen()
    }

    deinit {
        cscanline_deflater_free(handle)
        LiveHandles.didClose()
    }

    /// What a stream is optimized for.
    enum Effort {
        /// Filtered photographs: the quickest level, long blocks.
        case quick
        /// Palette indices and dither, whose statistics vary: short blocks, a level that costs
        /// hardly more.
        case adaptive

        fileprivate var level: CInt { self == .quick ? 1 : 2 }
        fileprivate var blockThousands: CInt { self == .quick ? 64 : 8 }
    }

    /// Begins a zlib stream.
    func begin(_ effort: Effort) {
        cscanline_deflater_begin(handle, effort.level, effort.blockThousands)
    }

    /// Appends the compressed form of bytes; `isLast` ends the stream.
    func append(
        _ bytes: UnsafePointer<UInt8>, count: Int, isLast: Bool, to output: inout GrowingBytes
    ) throws(MediaError) {
        guard cscanline_deflate(handle, bytes, count, isLast ? 1 : 0, &output.buffer) != 0 else {
            throw MediaError(.environment, "There is no memory for compressing a PNG.")
        }
    }
}
