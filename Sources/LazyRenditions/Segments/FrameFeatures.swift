internal import LazyMedia

/// Features of a frame, small enough to keep hundreds.
struct FrameFeatures: Sendable {
    /// Columns and rows of `luma`.
    static let size = PixelSize(width: 32, height: 18)

    /// When the frame is shown.
    let time: Duration
    /// Luma on a grid of fixed size, rows from the top.
    let luma: [Float]
    /// Shares of luma in 16 steps and of chroma in two times 8.
    let histogram: [Float]
    /// The frame as a still.
    let still: PosterScore
    /// The mean of each column and row, for estimating camera motion.
    let columns: [Float]
    let rows: [Float]

    init(_ frame: Frame) throws(MediaError) {
        time = frame.presentationTime
        still = PosterScore(frame.bitmap)
        histogram = Self.histogram(frame.bitmap)
        let small = try frame.bitmap.scaled(to: Self.size)
        luma = small.withBytes { bytes in
            (0..<Self.size.pixelCount).map { place in
                let red = 0.299 * Float(bytes[place * 4])
                let green = 0.587 * Float(bytes[place * 4 + 1])
                return (red + green + 0.114 * Float(bytes[place * 4 + 2])) / 255
            }
        }
        (columns, rows) = Self.projections(frame.bitmap)
    }

    /// The size in which a frame of a sequence is read for them.
    static func readSize(of size: PixelSize) -> PixelSize {
        TargetSize(width: 128, height: 128, fit: .scaleDown).scaledSize(of: size)
    }

    /// The mean of the luma, 0 to 1.
    var brightness: Float { luma.reduce(0, +) / Float(luma.count) }

    /// The mean difference of luma, 0 to 1.
    func difference(_ other: FrameFeatures) -> Float {
        zip(luma, other.luma).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(luma.count)
    }

    /// The difference of the histograms, 0 to 1.
    func toneDifference(_ other: FrameFeatures) -> Float {
        zip(histogram, other.histogram).reduce(0) { $0 + abs($1.0 - $1.1) } / 4
    }

    /// The displacement of the whole picture since another, in shares of its sides.
    func shift(since other: FrameFeatures) -> SIMD2<Float> {
        SIMD2(
            Self.shift(other.columns, columns) / Float(columns.count),
            Self.shift(other.rows, rows) / Float(rows.count))
    }

    // MARK: - Making

    private static func histogram(_ bitmap: Bitmap) -> [Float] {
        var counts = [Int](repeating: 0, count: 32)
        bitmap.withBytes { bytes in
            for place in stride(from: 0, to: bitmap.byteCount, by: 4) {
                let (red, green) = (Int(bytes[place]), Int(bytes[place + 1]))
                let blue = Int(bytes[place + 2])
                counts[(77 * red + 150 * green + 29 * blue) >> 12] += 1
                counts[16 + (red - green + 255) >> 6] += 1
                counts[24 + (blue - green + 255) >> 6] += 1
            }
        }
        return counts.map { Float($0) / Float(max(1, bitmap.size.pixelCount)) }
    }

    private static func projections(_ bitmap: Bitmap) -> ([Float], [Float]) {
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        var columns = [Float](repeating: 0, count: width)
        var rows = [Float](repeating: 0, count: height)
        bitmap.withBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let value = Float(bytes[y * bitmap.stride + x * 4 + 1])
                    columns[x] += value
                    rows[y] += value
                }
            }
        }
        return (columns.map { $0 / Float(height) / 255 }, rows.map { $0 / Float(width) / 255 })
    }

    /// The displacement with the smallest error between two lines; 0 if none is clearly better.
    private static func shift(_ before: [Float], _ after: [Float]) -> Float {
        guard before.count == after.count, before.count > 8 else { return 0 }
        let most = before.count / 8
        var best = (shift: 0, error: error(before, after, 0) * 0.8)
        for shift in -most...most where shift != 0 {
            let error = error(before, after, shift)
            if error < best.error { best = (shift, error) }
        }
        return Float(best.shift)
    }

    private static func error(_ before: [Float], _ after: [Float], _ shift: Int) -> Float {
        let from = max(0, -shift)
        let to = min(before.count, before.count - shift)
        var sum: Float = 0
        for place in from..<to { sum += abs(before[place] - after[place + shift]) }
        return sum / Float(to - from) + 1e-5
    }
}
