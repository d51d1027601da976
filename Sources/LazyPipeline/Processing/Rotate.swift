public import LazyMedia

extension ImageProcessors {
    /// Turns pictures clockwise; the canvas grows to hold all of them.
    ///
    /// Quarter turns are exact. By other angles pixels are mixed from their neighbours, edges are
    /// smooth, and the corners are transparent.
    public struct Rotate: ImageProcessing, Hashable {
        /// Degrees clockwise, from 0 up to but not including 360.
        public let degrees: Double

        /// Makes a processor; any number of whole turns is taken off.
        public init(degrees: Double) {
            let rest = degrees.isFinite ? degrees.truncatingRemainder(dividingBy: 360) : 0
            // So near to nought from below that adding a turn gives a whole one.
            let turned = rest < 0 ? rest + 360 : rest
            self.degrees = turned == 360 || turned == 0 ? 0 : turned
        }

        /// `lazyimg/rotate` with the angle.
        public var identifier: String { "lazyimg/rotate?d=\(degrees)" }

        /// The size of the box around the turned picture.
        public func outputSize(for size: PixelSize) -> PixelSize {
            if let turns = quarterTurns { return turns.isMultiple(of: 2) ? size : size.transposed }
            let (sine, cosine) = (abs(Self.sine(degrees)), abs(Self.cosine(degrees)))
            let (width, height) = (Double(size.width), Double(size.height))
            // A side that is whole but for a rounding does not become one longer.
            return PixelSize(
                clamping: (width * cosine + height * sine - 1e-6).rounded(.up),
                (width * sine + height * cosine - 1e-6).rounded(.up))
        }

        /// Turns a picture.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            guard let turns = quarterTurns else { return try turnedFreely(bitmap) }
            return try bitmap.turned(Orientation(quarterTurns: turns))
        }

        private var quarterTurns: Int? {
            let turns = degrees / 90
            return turns == turns.rounded() ? Int(turns) : nil
        }

        private func turnedFreely(_ bitmap: Bitmap) throws(ProcessingError) -> Bitmap {
            let size = outputSize(for: bitmap.size)
            let (sine, cosine) = (Float(Self.sine(degrees)), Float(Self.cosine(degrees)))
            let source = Sampler(size: bitmap.size)
            let middle = SIMD2(Float(bitmap.size.width), Float(bitmap.size.height)) / 2 - 0.5
            let canvas = SIMD2(Float(size.width), Float(size.height)) / 2 - 0.5
            return try bitmap.makingPixels(size: size, isOpaque: false) { from, to in
                for y in 0..<size.height {
                    let down = Float(y) - canvas.y
                    var x = -canvas.x
                    for column in 0..<size.width {
                        let place = SIMD2(x * cosine + down * sine, down * cosine - x * sine)
                        to[y * size.width + column] = source.pixel(from, at: place + middle)
                        x += 1
                    }
                }
            }
        }

        // Taylor's series: this room has no mathematics library, and needs none for two numbers.
        private static func sine(_ degrees: Double) -> Double {
            let x = (degrees > 180 ? degrees - 360 : degrees) * Double.pi / 180
            var term = x
            var sum = x
            for n in 1...20 {
                term *= -x * x / Double(2 * n * (2 * n + 1))
                sum += term
            }
            return sum
        }

        private static func cosine(_ degrees: Double) -> Double {
            let shifted = degrees + 90
            return sine(shifted >= 360 ? shifted - 360 : shifted)
        }
    }

    /// Mirrors pictures.
    public struct Flip: ImageProcessing, Hashable {
        /// The direction in which pixels change places.
        public enum Axis: String, CaseIterable, Sendable {
            /// Left and right change places.
            case horizontal
            /// Top and bottom change places.
            case vertical
        }

        /// The direction.
        public let axis: Axis

        /// Makes a processor.
        public init(_ axis: Axis) { self.axis = axis }

        /// `lazyimg/flip` with the direction.
        public var identifier: String { "lazyimg/flip?a=\(axis.rawValue)" }

        /// The same size.
        public func outputSize(for size: PixelSize) -> PixelSize { size }

        /// Mirrors a picture.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let turns = axis == .vertical ? 2 : 0
            return try bitmap.turned(Orientation(quarterTurns: turns, isMirrored: true))
        }
    }
}

extension Bitmap {
    fileprivate func turned(_ orientation: Orientation) throws(ProcessingError) -> Bitmap {
        guard orientation != .upright else { return self }
        let upright = orientation.turned(size)
        return try makingPixels(size: upright, isOpaque: isOpaque) { from, to in
            orientation.copy(
                from, stride: stride, size: size,
                into: UnsafeMutableRawBufferPointer(start: to, count: upright.rgbaByteCount))
        }
    }
}

/// Mixes four neighbours, weighted by alpha; beyond the edge all is transparent.
private struct Sampler {
    let size: PixelSize

    @inline(__always)
    func pixel(_ pixels: UnsafePointer<Pixel>, at place: SIMD2<Float>) -> Pixel {
        let (floorX, floorY) = (place.x.rounded(.down), place.y.rounded(.down))
        guard floorX >= -1, floorY >= -1, floorX < Float(size.width), floorY < Float(size.height)
        else { return .zero }
        let (x, y) = (Int(floorX), Int(floorY))
        let (right, down) = (place.x - floorX, place.y - floorY)
        var sum = weighted(pixels, x, y, (1 - right) * (1 - down))
        sum += weighted(pixels, x + 1, y, right * (1 - down))
        sum += weighted(pixels, x, y + 1, (1 - right) * down)
        sum += weighted(pixels, x + 1, y + 1, right * down)
        let alpha = sum.w
        guard alpha >= 0.5 else { return .zero }
        sum *= 1 / alpha
        return Pixel(byte(sum.x), byte(sum.y), byte(sum.z), byte(alpha))
    }

    /// A pixel's colour times alpha times weight, and its alpha times weight.
    @inline(__always)
    private func weighted(
        _ pixels: UnsafePointer<Pixel>, _ x: Int, _ y: Int, _ weight: Float
    ) -> SIMD4<Float> {
        guard x >= 0, y >= 0, x < size.width, y < size.height else { return .zero }
        let pixel = pixels[y * size.width + x]
        let strength = Float(pixel.w) * weight
        return SIMD4(
            Float(pixel.x) * strength, Float(pixel.y) * strength, Float(pixel.z) * strength,
            strength)
    }

    @inline(__always)
    private func byte(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: Int32(min(max(value + 0.5, 0), 255)))
    }
}
