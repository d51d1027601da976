internal import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// Blurs images with a Gaussian approximated by three box blurs in each direction.
    ///
    /// The cost per pixel does not depend on the radius. Edge pixels are repeated outwards, and
    /// transparent pixels contribute no color.
    public struct GaussianBlur: ImageProcessing, Hashable {
        /// The standard deviation in pixels.
        public let radius: Double

        /// Creates a processor; the radius is clamped to 0 through 1000.
        public init(radius: Double = 8) { self.radius = radius > 0 ? min(radius, 1000) : 0 }

        /// `lazyimg/blur` with the radius.
        public var identifier: String { "lazyimg/blur?r=\(radius)" }

        /// Returns the size unchanged.
        public func outputSize(for size: PixelSize) -> PixelSize { size }

        /// Blurs an image.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let boxes = BoxBlur(deviation: radius)
            guard boxes.isNeeded else { return bitmap }
            let size = bitmap.size
            let between: Bitmap
            do throws(MediaError) {
                // Premultiplied colors need 16 bits: memory for two bitmaps, from the pool.
                between = try Bitmap(
                    size: PixelSize(width: size.width * 2, height: size.height), isOpaque: false
                ) { lines in
                    guard let to = lines.bindMemory(to: SIMD4<UInt16>.self).baseAddress else {
                        return
                    }
                    bitmap.withBytes { input in
                        guard let from = input.bindMemory(to: Pixel.self).baseAddress else {
                            return
                        }
                        boxes.blurRows(from, size, into: to)
                    }
                }
            } catch {
                throw ProcessingError(error)
            }
            return try bitmap.makingPixels(size: size, isOpaque: bitmap.isOpaque) { _, to in
                between.withBytes { lines in
                    guard let from = lines.bindMemory(to: SIMD4<UInt16>.self).baseAddress else {
                        return
                    }
                    boxes.blurColumns(from, size, into: to)
                }
            }
        }
    }
}

/// Three box blurs whose variances add up to that of a Gaussian.
struct BoxBlur {
    /// The number of pixels on each side of the center of each box.
    let reaches: [Int]

    /// Whether there is anything to blur.
    var isNeeded: Bool { reaches.contains { $0 > 0 } }

    /// Chooses three odd widths near the ideal one, (12σ²/3 + 1)^½, with the right variance.
    init(deviation: Double) {
        let ideal = (4 * deviation * deviation + 1).squareRoot()
        var low = Int(ideal)
        if low.isMultiple(of: 2) { low -= 1 }
        let width = Double(low)
        let excess = 12 * deviation * deviation - 3 * width * width - 12 * width - 9
        let smaller = Int((excess / (-4 * width - 4)).rounded())
        reaches = (0..<3).map { ($0 < smaller ? low : low + 2) / 2 }
    }

    /// Blurs each row into premultiplied colors, in units of 1/256.
    func blurRows(
        _ from: UnsafePointer<Pixel>, _ size: PixelSize,
        into to: UnsafeMutablePointer<SIMD4<UInt16>>
    ) {
        withLines(size.width) { line, spare in
            for y in 0..<size.height {
                let row = from + y * size.width
                for x in 0..<size.width { line[x] = Self.premultiplied(row[x]) }
                let result = blur(line, spare, size.width)
                let target = to + y * size.width
                for x in 0..<size.width { target[x] = Self.short(result[x]) }
            }
        }
    }

    /// Blurs columns, several at a time to use whole cache lines.
    func blurColumns(
        _ from: UnsafePointer<SIMD4<UInt16>>, _ size: PixelSize,
        into to: UnsafeMutablePointer<Pixel>
    ) {
        let group = 8
        withLines(size.height * group) { lines, spare in
            for left in stride(from: 0, to: size.width, by: group) {
                let count = min(group, size.width - left)
                for y in 0..<size.height {
                    let row = from + y * size.width + left
                    for x in 0..<count { lines[x * size.height + y] = Self.long(row[x]) }
                }
                for x in 0..<count {
                    let line = lines + x * size.height
                    let result = blur(line, spare, size.height)
                    for y in 0..<size.height {
                        to[y * size.width + left + x] = Self.pixel(result[y])
                    }
                }
            }
        }
    }

    private typealias Line = UnsafeMutablePointer<SIMD4<Float>>

    private func withLines(_ count: Int, _ body: (Line, Line) -> Void) {
        let memory = Line.allocate(capacity: count * 2)
        defer { memory.deallocate() }
        body(memory, memory + count)
    }

    /// Applies the three averages; returns the line that holds the last one.
    @inline(__always)
    private func blur(_ line: Line, _ spare: Line, _ count: Int) -> Line {
        var (from, to) = (line, spare)
        for reach in reaches where reach > 0 {
            Self.average(from, to, count, reach)
            swap(&from, &to)
        }
        return from
    }

    /// Averages `reach` pixels on each side; the first and last pixels are repeated.
    @inline(__always)
    private static func average(_ from: Line, _ to: Line, _ count: Int, _ reach: Int) {
        let (first, last) = (from[0], from[count - 1])
        let share = 1 / Float(2 * reach + 1)
        var sum = first * Float(reach)
        for x in 0..<min(reach, count) { sum += from[x] }
        if reach > count { sum += last * Float(reach - count) }
        for x in 0..<count {
            sum += x + reach < count ? from[x + reach] : last
            to[x] = sum * share
            sum -= x >= reach ? from[x - reach] : first
        }
    }

    // Lane by lane: the generic conversions of SIMD types are calls, not instructions.
    @inline(__always)
    private static func premultiplied(_ pixel: Pixel) -> SIMD4<Float> {
        let alpha = Float(pixel.w)
        return SIMD4(
            Float(pixel.x) * alpha, Float(pixel.y) * alpha, Float(pixel.z) * alpha, alpha * 255)
    }

    @inline(__always)
    private static func short(_ value: SIMD4<Float>) -> SIMD4<UInt16> {
        func lane(_ value: Float) -> UInt16 {
            UInt16(truncatingIfNeeded: Int32(min(max(value + 0.5, 0), 65535)))
        }
        return SIMD4(lane(value.x), lane(value.y), lane(value.z), lane(value.w))
    }

    @inline(__always)
    private static func long(_ value: SIMD4<UInt16>) -> SIMD4<Float> {
        SIMD4(Float(value.x), Float(value.y), Float(value.z), Float(value.w))
    }

    @inline(__always)
    private static func pixel(_ value: SIMD4<Float>) -> Pixel {
        func lane(_ value: Float) -> UInt8 {
            UInt8(truncatingIfNeeded: Int32(min(max(value + 0.5, 0), 255)))
        }
        let alpha = value.w / 255
        guard alpha >= 0.5 else { return .zero }
        let color = value / alpha
        return Pixel(lane(color.x), lane(color.y), lane(color.z), lane(alpha))
    }
}
