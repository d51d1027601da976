internal import Glibc
package import LazyMedia

extension Bitmap {
    /// The picture turned clockwise by any angle, on a canvas that holds all of it.
    ///
    /// Quarter turns are exact. By other angles pixels are mixed from their neighbors, edges are
    /// smooth, and the corners have a color; nil is transparent.
    package func rotated(
        by rotation: Rotation, _ corners: PixelColor? = nil
    ) throws(MediaError) -> Bitmap {
        if let turns = rotation.quarterTurns {
            return try oriented(Orientation(quarterTurns: turns))
        }
        let target = rotation.size(of: size)
        let outside = corners?.pixel ?? .zero
        return try Bitmap(size: target, isOpaque: isOpaque && outside.w == 255) { output in
            withBytes { input in
                guard let from = input.bindMemory(to: Pixel.self).baseAddress,
                    let to = output.bindMemory(to: Pixel.self).baseAddress
                else { return }
                rotate(from, by: rotation, outside, into: to, target)
            }
        }
    }

    private func rotate(
        _ from: UnsafePointer<Pixel>, by rotation: Rotation, _ outside: Pixel,
        into to: UnsafeMutablePointer<Pixel>, _ target: PixelSize
    ) {
        let (sine, cosine) = (Float(rotation.sine), Float(rotation.cosine))
        let source = Sampler(size: size, outside: outside)
        let middle = Self.middle(size)
        let canvas = Self.middle(target)
        for y in 0..<target.height {
            let down = Float(y) - canvas.y
            var x = -canvas.x
            for column in 0..<target.width {
                let place = SIMD2(x * cosine + down * sine, down * cosine - x * sine)
                to[y * target.width + column] = source.pixel(from, at: place + middle)
                x += 1
            }
        }
    }

    private static func middle(_ size: PixelSize) -> SIMD2<Float> {
        SIMD2(Float(size.width), Float(size.height)) / 2 - 0.5
    }

    /// The picture turned by quarters and mirrored.
    package func oriented(_ orientation: Orientation) throws(MediaError) -> Bitmap {
        guard orientation != .upright else { return self }
        return try Bitmap(size: orientation.turned(size), isOpaque: isOpaque) { output in
            withBytes { input in
                guard let from = input.bindMemory(to: Pixel.self).baseAddress else { return }
                orientation.copy(from, stride: stride, size: size, into: output)
            }
        }
    }
}

/// An angle by which pictures are turned.
package struct Rotation: Hashable, Sendable {
    /// Degrees clockwise, from 0 up to but not including 360.
    package let degrees: Double

    /// Makes a rotation; whole turns are removed.
    package init(degrees: Double) {
        let rest = degrees.isFinite ? degrees.truncatingRemainder(dividingBy: 360) : 0
        // Just below zero, adding a turn can round up to a whole one.
        let turned = rest < 0 ? rest + 360 : rest
        self.degrees = turned == 360 || turned == 0 ? 0 : turned
    }

    /// The number of quarter turns, or nil for other angles.
    var quarterTurns: Int? {
        let turns = degrees / 90
        return turns == turns.rounded() ? Int(turns) : nil
    }

    var sine: Double { sin(degrees * .pi / 180) }
    var cosine: Double { cos(degrees * .pi / 180) }

    /// The size of the bounding box of a rotated picture.
    package func size(of size: PixelSize) -> PixelSize {
        if let turns = quarterTurns { return turns.isMultiple(of: 2) ? size : size.transposed }
        let (sine, cosine) = (abs(sine), abs(cosine))
        let (width, height) = (Double(size.width), Double(size.height))
        // A whole side must not grow by a rounding error.
        let box = (width * cosine + height * sine - 1e-6, width * sine + height * cosine - 1e-6)
        return PixelSize(clamping: box.0.rounded(.up), box.1.rounded(.up))
    }
}

extension PixelSize {
    /// A size with each side clamped to at least 1 and at most a limit.
    fileprivate init(clamping width: Double, _ height: Double) {
        let most = Double(Int32.max / 8)
        func side(_ length: Double) -> Int {
            length.isNaN ? 1 : Int(min(max(length.rounded(), 1), most))
        }
        self.init(width: side(width), height: side(height))
    }
}

/// Bilinear interpolation weighted by alpha.
private struct Sampler {
    let size: PixelSize
    /// What is outside the picture.
    let outside: Pixel

    @inline(__always)
    func pixel(_ pixels: UnsafePointer<Pixel>, at place: SIMD2<Float>) -> Pixel {
        let (floorX, floorY) = (place.x.rounded(.down), place.y.rounded(.down))
        guard floorX >= -1, floorY >= -1, floorX < Float(size.width), floorY < Float(size.height)
        else { return outside }
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

    /// A pixel's color times alpha times weight, and its alpha times weight.
    @inline(__always)
    private func weighted(
        _ pixels: UnsafePointer<Pixel>, _ x: Int, _ y: Int, _ weight: Float
    ) -> SIMD4<Float> {
        let isInside = x >= 0 && y >= 0 && x < size.width && y < size.height
        let pixel = isInside ? pixels[y * size.width + x] : outside
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
