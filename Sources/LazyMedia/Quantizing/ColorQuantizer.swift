/// Chooses the colors that approximate a histogram with the least error.
///
/// Median cut by variance: boxes are split where that removes most squared error; then k-means
/// refines the colors until it gains little.
package struct ColorQuantizer {
    /// The perceptual weights of errors in red, green and blue, as square roots.
    ///
    /// Between equal weights, which give the best PSNR, and those of luma.
    static let scale = SIMD3<Float>(1.0, 1.2, 0.85)
    private static let maxPasses = 6

    /// A color of the palette in scaled coordinates.
    private var centers: [SIMD3<Float>] = []
    private let points: [SIMD4<Float>]
    /// The remaining mean squared error per pixel, scaled.
    package private(set) var error: Float = 0

    /// Chooses at most `count` colors for a histogram; their number of threads has no effect on them.
    package init(_ entries: [ColorHistogram.Entry], count: Int, threads: Int = 1) {
        points = entries.map {
            SIMD4($0.red * Self.scale.x, $0.green * Self.scale.y, $0.blue * Self.scale.z, $0.weight)
        }
        centers = Self.cut(points, count: count)
        var last = Float.infinity
        for _ in 0..<Self.maxPasses {
            let error = moveCenters(threads)
            self.error = error
            if error > last * 0.995 { break }
            last = error
        }
    }

    /// The colors as opaque pixels, each once.
    package var colors: [UInt32] {
        var seen: Set<UInt32> = []
        return centers.map { center in
            let color = center / Self.scale
            return Self.byte(color.x) | Self.byte(color.y) << 8 | Self.byte(color.z) << 16
                | 0xFF00_0000
        }.filter { seen.insert($0).inserted }
    }

    /// The mean squared error of a histogram under a palette, scaled as `error` is.
    package static func error(of entries: [ColorHistogram.Entry], under colors: [UInt32]) -> Float {
        let finder = NearestCenter(
            colors.map {
                SIMD3(Float($0 & 0xFF), Float($0 >> 8 & 0xFF), Float($0 >> 16 & 0xFF)) * scale
            })
        var sum: Double = 0
        var weight: Double = 0
        for entry in entries {
            let point = SIMD3(entry.red, entry.green, entry.blue) * scale
            sum += Double(finder.nearest(point).distance * entry.weight)
            weight += Double(entry.weight)
        }
        return Float(sum / max(1, weight))
    }

    private static func byte(_ value: Float) -> UInt32 { UInt32(min(max(value + 0.5, 0), 255)) }

    private mutating func moveCenters(_ threads: Int) -> Float {
        let finder = NearestCenter(centers)
        var sums = [SIMD4<Float>](repeating: .zero, count: centers.count)
        var error: Double = 0
        var total: Double = 0
        // Only the search runs on threads, so that sums are rounded in the same order.
        finder.forEachNearest(to: points, threads) { point, near in
            let weight = point.w
            sums[near.index] += SIMD4(point.x * weight, point.y * weight, point.z * weight, weight)
            error += Double(near.distance * weight)
            total += Double(weight)
        }
        for (index, sum) in sums.enumerated() where sum.w > 0 {
            centers[index] = SIMD3(sum.x, sum.y, sum.z) / sum.w
        }
        return Float(error / max(1, total))
    }

    // MARK: - Cutting

    private struct Box {
        var range: Range<Int>
        var mean = SIMD3<Float>.zero
        var axis = 0
        /// The sum of squared errors along that axis.
        var error: Float = 0

        init(_ points: UnsafeMutableBufferPointer<SIMD4<Float>>, _ range: Range<Int>) {
            self.range = range
            var weight: Double = 0
            var (x, y, z) = (0.0, 0.0, 0.0)
            var (xx, yy, zz) = (0.0, 0.0, 0.0)
            for position in range {
                let point = points[position]
                let share = Double(point.w)
                let (a, b, c) = (Double(point.x), Double(point.y), Double(point.z))
                weight += share
                x += a * share
                y += b * share
                z += c * share
                xx += a * a * share
                yy += b * b * share
                zz += c * c * share
            }
            mean = SIMD3(Float(x / weight), Float(y / weight), Float(z / weight))
            let errors = [xx - x * x / weight, yy - y * y / weight, zz - z * z / weight]
            axis = errors[0] > errors[1] ? 0 : 1
            if errors[2] > errors[axis] { axis = 2 }
            error = range.count > 1 ? Float(errors[axis]) : 0
        }
    }

    private static func cut(_ points: [SIMD4<Float>], count: Int) -> [SIMD3<Float>] {
        guard !points.isEmpty else { return [] }
        var points = points
        return points.withUnsafeMutableBufferPointer { points in
            var boxes = [Box(points, 0..<points.count)]
            while boxes.count < count {
                guard let worst = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }),
                    boxes[worst].error > 0
                else { break }
                let box = boxes[worst]
                let middle = part(points, box)
                boxes[worst] = Box(points, box.range.lowerBound..<middle)
                boxes.append(Box(points, middle..<box.range.upperBound))
            }
            return boxes.map(\.mean)
        }
    }

    /// Partitions the points at the mean; both sides get at least one.
    private static func part(
        _ points: UnsafeMutableBufferPointer<SIMD4<Float>>, _ box: Box
    ) -> Int {
        let axis = box.axis
        let limit = box.mean[axis]
        var low = box.range.lowerBound
        var high = box.range.upperBound
        while low < high {
            if points[low][axis] <= limit {
                low += 1
            } else {
                high -= 1
                points.swapAt(low, high)
            }
        }
        return min(max(low, box.range.lowerBound + 1), box.range.upperBound - 1)
    }
}
