import LazyMedia
import LazyPipeline

/// Small pictures that a test can say the pixels of.
enum Picture {
    /// A picture whose pixel at `x`, `y` a closure tells.
    static func make(
        _ width: Int, _ height: Int, isOpaque: Bool = true, _ pixel: (Int, Int) -> SIMD4<UInt8>
    ) throws -> Bitmap {
        let size = PixelSize(width: width, height: height)
        return try Bitmap(size: size, isOpaque: isOpaque) { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<height { for x in 0..<width { pixels[y * width + x] = pixel(x, y) } }
        }
    }

    /// A picture of one color.
    static func plain(_ width: Int, _ height: Int, _ color: SIMD4<UInt8>) throws -> Bitmap {
        try make(width, height, isOpaque: color.w == 255) { _, _ in color }
    }

    /// A picture in which every pixel is another: red is the column, green the row.
    static func chart(_ width: Int, _ height: Int) throws -> Bitmap {
        try make(width, height) { x, y in SIMD4(UInt8(x % 256), UInt8(y % 256), 7, 255) }
    }
}

extension ImageProcessing {
    func callAsFunction(_ bitmap: Bitmap) throws(ProcessingError) -> Bitmap {
        try process(bitmap, context: ProcessingContext())
    }
}
