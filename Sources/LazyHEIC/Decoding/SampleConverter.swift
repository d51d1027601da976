internal import LazyMedia

/// Converts decoded samples to RGBA8 of the same size, in fixed point.
///
/// A chroma sample serves all pixels that it belongs to, as in libheif.
struct SampleConverter {
    /// Weights of a sample in 1/2^20 of an 8-bit level.
    private struct Weights {
        var luma: Int32 = 0
        var black: Int32 = 0
        var middle: Int32 = 0
        var red: (u: Int32, v: Int32) = (0, 0)
        var green: (u: Int32, v: Int32) = (0, 0)
        var blue: (u: Int32, v: Int32) = (0, 0)
        /// Whether the planes are green, blue and red.
        var isIdentity = false
    }

    private let weights: Weights
    private let isGray: Bool

    /// Converts to RGB by a matrix and range.
    init(_ planes: SamplePlanes, _ color: ColorDescription) {
        isGray = planes.chroma == nil
        weights = Self.weights(
            color.matrix, isFullRange: color.isFullRange ?? false, depth: planes.depth)
    }

    /// Converts to gray by luma alone in the full range, whatever the file says, as alpha is coded.
    init(lumaOf planes: SamplePlanes) {
        isGray = true
        weights = Self.weights(.bt601, isFullRange: true, depth: planes.depth)
    }

    /// The weights of a matrix; of BT.601 where it has no luma weights, as in libheif.
    private static func weights(
        _ matrix: MatrixCoefficients, isFullRange: Bool, depth: Int
    ) -> Weights {
        let top = Double(1 << depth - 1)
        let unit = Double(1 << 20) * 255
        let step = Double(1 << (depth - 8))
        let luma = unit / (isFullRange ? top : 219 * step)
        let chroma = unit / (isFullRange ? top : 224 * step)
        func fixed(_ value: Double) -> Int32 { Int32(value.rounded()) }
        var weights = Weights()
        weights.luma = fixed(luma)
        weights.black = isFullRange ? 0 : Int32(16) << Int32(depth - 8)
        weights.middle = Int32(1) << Int32(depth - 1)
        switch matrix {
        case .identity: weights.isIdentity = true
        case .ycgco:
            let one = fixed(chroma)
            (weights.red, weights.green, weights.blue) = ((-one, one), (one, 0), (-one, -one))
        default:
            let (kr, kb) = matrix.redAndBlue ?? (0.299, 0.114)
            let kg = 1 - kr - kb
            weights.red = (0, fixed(2 * (1 - kr) * chroma))
            weights.green = (
                fixed(-2 * kb * (1 - kb) / kg * chroma), fixed(-2 * kr * (1 - kr) / kg * chroma)
            )
            weights.blue = (fixed(2 * (1 - kb) * chroma), 0)
        }
        return weights
    }

    /// Converts the upper left part of the planes into rows of a canvas.
    func convert(
        _ planes: SamplePlanes, width: Int, height: Int, into target: UnsafeMutablePointer<UInt32>,
        stride: Int
    ) {
        if planes.depth == 8 {
            convert(planes, as: UInt8.self, width, height, target, stride)
        } else {
            convert(planes, as: UInt16.self, width, height, target, stride)
        }
    }

    @inline(__always)
    private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
        _ planes: SamplePlanes, as sample: Sample.Type, _ width: Int, _ height: Int,
        _ target: UnsafeMutablePointer<UInt32>, _ stride: Int
    ) {
        let row = { (plane: SamplePlanes.Plane, y: Int) in
            (plane.start + y * plane.stride).assumingMemoryBound(to: Sample.self)
        }
        guard let chroma = planes.chroma, !isGray else {
            for y in 0..<height { gray(row(planes.luma, y), target + y * stride, width) }
            return
        }
        guard !weights.isIdentity else {
            for y in 0..<height {
                let below = planes.isHalfHeight ? y >> 1 : y
                direct(
                    row(chroma.v, below), row(planes.luma, y), row(chroma.u, below),
                    target + y * stride, width, planes.isHalfWidth ? 1 : 0)
            }
            return
        }
        // A row's share of chroma, which two rows have in common in 4:2:0.
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3 * (width + 1)) { shares in
            guard let red = shares.baseAddress else { return }
            let (green, blue) = (red + width + 1, red + 2 * (width + 1))
            var made = -1
            for y in 0..<height {
                let wanted = planes.isHalfHeight ? y >> 1 : y
                if wanted != made {
                    share(
                        row(chroma.u, wanted), row(chroma.v, wanted), red, green, blue, width,
                        planes.isHalfWidth)
                    made = wanted
                }
                add(row(planes.luma, y), red, green, blue, target + y * stride, width)
            }
        }
    }

    @inline(__always)
    private func share<Sample: FixedWidthInteger & UnsignedInteger>(
        _ u: UnsafePointer<Sample>, _ v: UnsafePointer<Sample>, _ red: UnsafeMutablePointer<Int32>,
        _ green: UnsafeMutablePointer<Int32>, _ blue: UnsafeMutablePointer<Int32>, _ width: Int,
        _ isHalf: Bool
    ) {
        let weights = weights
        let half: Int32 = 1 << 19
        let count = isHalf ? (width + 1) / 2 : width
        for x in 0..<count {
            let cu = Int32(truncatingIfNeeded: u[x]) &- weights.middle
            let cv = Int32(truncatingIfNeeded: v[x]) &- weights.middle
            let r = weights.red.u &* cu &+ weights.red.v &* cv &+ half
            let g = weights.green.u &* cu &+ weights.green.v &* cv &+ half
            let b = weights.blue.u &* cu &+ weights.blue.v &* cv &+ half
            if isHalf {
                (red[2 * x], red[2 * x + 1]) = (r, r)
                (green[2 * x], green[2 * x + 1]) = (g, g)
                (blue[2 * x], blue[2 * x + 1]) = (b, b)
            } else {
                (red[x], green[x], blue[x]) = (r, g, b)
            }
        }
    }

    @inline(__always)
    private func add<Sample: FixedWidthInteger & UnsignedInteger>(
        _ luma: UnsafePointer<Sample>, _ red: UnsafePointer<Int32>, _ green: UnsafePointer<Int32>,
        _ blue: UnsafePointer<Int32>, _ row: UnsafeMutablePointer<UInt32>, _ width: Int
    ) {
        let (weight, black) = (weights.luma, weights.black)
        for x in 0..<width {
            let base = (Int32(truncatingIfNeeded: luma[x]) &- black) &* weight
            row[x] =
                Self.level(base &+ red[x]) | Self.level(base &+ green[x]) << 8
                | Self.level(base &+ blue[x]) << 16 | 0xFF00_0000
        }
    }

    @inline(__always)
    private func gray<Sample: FixedWidthInteger & UnsignedInteger>(
        _ luma: UnsafePointer<Sample>, _ row: UnsafeMutablePointer<UInt32>, _ width: Int
    ) {
        let (weight, black) = (weights.luma, weights.black)
        for x in 0..<width {
            let base = (Int32(truncatingIfNeeded: luma[x]) &- black) &* weight
            row[x] = Self.level(base &+ (1 << 19)) &* 0x01_0101 | 0xFF00_0000
        }
    }

    @inline(__always)
    private func direct<Sample: FixedWidthInteger & UnsignedInteger>(
        _ red: UnsafePointer<Sample>, _ green: UnsafePointer<Sample>,
        _ blue: UnsafePointer<Sample>, _ row: UnsafeMutablePointer<UInt32>, _ width: Int,
        _ shift: Int
    ) {
        let (weight, black) = (weights.luma, weights.black)
        let level = { (sample: Sample) in
            Self.level((Int32(truncatingIfNeeded: sample) &- black) &* weight &+ (1 << 19))
        }
        for x in 0..<width {
            row[x] =
                level(red[x >> shift]) | level(green[x]) << 8 | level(blue[x >> shift]) << 16
                | 0xFF00_0000
        }
    }

    @inline(__always)
    private static func level(_ value: Int32) -> UInt32 {
        UInt32(truncatingIfNeeded: min(max(value >> 20, 0), 255))
    }
}
