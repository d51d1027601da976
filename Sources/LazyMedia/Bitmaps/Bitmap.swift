/// One picture: RGBA8, straight alpha, rows from top to bottom; immutable and cheap to copy.
///
/// A pixel is four bytes: red, green, blue, alpha. A row is `size.width * 4` bytes, and rows start
/// every `stride` bytes (currently without padding). The storage comes from a pool and returns to it
/// with the last copy.
public struct Bitmap: Sendable {
    /// Width and height in pixels.
    public let size: PixelSize
    /// Whether every pixel is known to have alpha 255.
    public let isOpaque: Bool
    let storage: BitmapStorage

    /// Makes a bitmap whose rows a closure writes.
    ///
    /// The memory is not cleared first: the closure writes all of `size.rgbaByteCount` bytes.
    /// Throws what the closure throws, and `.environment` when there is no memory.
    public init(
        size: PixelSize, isOpaque: Bool, pool: BitmapPool = .shared,
        writingRows body: (UnsafeMutableRawBufferPointer) throws(MediaError) -> Void
    ) throws(MediaError) {
        let storage = try pool.storage(byteCount: size.rgbaByteCount)
        try body(storage.bytes(size.rgbaByteCount))
        self.size = size
        self.isOpaque = isOpaque
        self.storage = storage
    }

    /// Makes a bitmap whose rows a closure writes on first access, if there is one.
    ///
    /// The memory is reserved at once, so that a lack of it is an error here, but is not touched
    /// before the first access. The closure runs once, on the thread of that access, while other
    /// accesses wait; it must not fail, nor read this bitmap. Then it is released with all that it
    /// holds. Throws `.environment` when there is no memory.
    public static func deferred(
        size: PixelSize, isOpaque: Bool, pool: BitmapPool = .shared,
        writingRows body: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
    ) throws(MediaError) -> Bitmap {
        let storage = try pool.storage(
            byteCount: size.rgbaByteCount, deferred: DeferredPixels(body))
        return Bitmap(size: size, isOpaque: isOpaque, storage: storage)
    }

    init(size: PixelSize, isOpaque: Bool, storage: BitmapStorage) {
        self.size = size
        self.isOpaque = isOpaque
        self.storage = storage
    }

    /// Bytes from the start of one row to the start of the next.
    public var stride: Int { size.width * 4 }

    /// The size of the picture in bytes.
    public var byteCount: Int { size.rgbaByteCount }

    /// Whether the rows are written; if not, the first access converts them.
    ///
    /// A view reads only what is filled, and fills the rest on another thread.
    public var isFilled: Bool { storage.deferred?.isFilled ?? true }

    /// Provides the rows to a closure; the pointer is valid only inside it.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage.bytes(byteCount)))
    }

    /// The pixel in column `x` of row `y`, as red, green, blue and alpha.
    public subscript(x: Int, y: Int) -> SIMD4<UInt8> {
        precondition(x >= 0 && y >= 0 && x < size.width && y < size.height, "outside the bitmap")
        return withBytes { $0.loadUnaligned(fromByteOffset: y * stride + x * 4, as: SIMD4.self) }
    }
}

extension Bitmap: Equatable {
    /// Whether two pictures have the same size and the same bytes.
    public static func == (left: Bitmap, right: Bitmap) -> Bool {
        guard left.size == right.size else { return false }
        return left.withBytes { a in right.withBytes { b in a.elementsEqual(b) } }
    }
}
