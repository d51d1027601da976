/// One picture of 16 bits a sample: RGBA16, straight alpha, rows from top to bottom.
///
/// A pixel is four `UInt16` in the byte order of the processor: red, green, blue, alpha, each from 0 to
/// 65535 over the full range. A row is `size.width * 8` bytes, and rows start every `stride` bytes
/// (currently without padding). Immutable and cheap to copy; takes twice the memory of a `Bitmap`,
/// from the same pool. What the samples mean is told by `Frame.color`.
public struct DeepBitmap: Sendable {
    /// Width and height in pixels.
    public let size: PixelSize
    /// Whether every pixel is known to have alpha 65535.
    public let isOpaque: Bool
    private let storage: BitmapStorage

    /// Makes a bitmap whose rows a closure writes.
    ///
    /// The memory is not cleared first: the closure writes all of `stride * size.height` bytes.
    /// Throws what the closure throws, and `.environment` when there is no memory.
    public init(
        size: PixelSize, isOpaque: Bool, pool: BitmapPool = .shared,
        writingRows body: (UnsafeMutableRawBufferPointer) throws(MediaError) -> Void
    ) throws(MediaError) {
        let storage = try pool.storage(byteCount: size.deepByteCount)
        try body(storage.bytes(size.deepByteCount))
        self.size = size
        self.isOpaque = isOpaque
        self.storage = storage
    }

    private init(size: PixelSize, isOpaque: Bool, storage: BitmapStorage) {
        self.size = size
        self.isOpaque = isOpaque
        self.storage = storage
    }

    var memory: UnsafeMutableRawPointer { storage.block.memory }

    /// Bytes from the start of one row to the start of the next.
    public var stride: Int { size.width * 8 }

    /// The size of the picture in bytes.
    public var byteCount: Int { size.deepByteCount }

    /// Provides the rows to a closure; the pointer is valid only inside it.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage.bytes(byteCount)))
    }

    /// The pixel in column `x` of row `y`, as red, green, blue and alpha.
    public subscript(x: Int, y: Int) -> SIMD4<UInt16> {
        precondition(x >= 0 && y >= 0 && x < size.width && y < size.height, "outside the bitmap")
        return withBytes { $0.loadUnaligned(fromByteOffset: y * stride + x * 8, as: SIMD4.self) }
    }

    /// The same pixels, of which any may be transparent.
    package var notOpaque: DeepBitmap {
        DeepBitmap(size: size, isOpaque: false, storage: storage)
    }

    /// The same picture of 8 bits a sample, each rounded to the nearest, on first access.
    ///
    /// The memory is reserved at once; the bitmap holds this picture until the first access, which costs
    /// about a nanosecond per pixel. Throws `.environment` when there is no memory.
    public func bitmap(pool: BitmapPool = .shared) throws(MediaError) -> Bitmap {
        try Bitmap.deferred(size: size, isOpaque: isOpaque, pool: pool) { rows in
            let samples = rows.bindMemory(to: UInt8.self)
            self.withBytes { bytes in
                for (index, sample) in bytes.bindMemory(to: UInt16.self).enumerated() {
                    samples[index] = UInt8(
                        truncatingIfNeeded: (UInt32(sample) * 255 + 32767) / 65535)
                }
            }
        }
    }
}

extension DeepBitmap: Equatable {
    /// Whether two pictures have the same size and the same samples.
    public static func == (left: DeepBitmap, right: DeepBitmap) -> Bool {
        guard left.size == right.size else { return false }
        return left.withBytes { a in right.withBytes { b in a.elementsEqual(b) } }
    }
}

extension PixelSize {
    /// The bytes of the picture as RGBA16 rows without padding.
    package var deepByteCount: Int { pixelCount * 8 }
}
