internal import LazyMedia

/// The saliency of each row and column of some pictures.
struct SaliencyMap {
    /// The direction that a strip is cut along.
    enum Axis { case columns, rows }

    private let measure: SmartCrop.Measure
    private let size: PixelSize
    /// Attention summed over the pictures, one value per pixel.
    private var weights: [Float]
    /// Luma in 32 steps, one value per pixel of each picture; 255 if it is transparent.
    private var tones: [[UInt8]]

    init(_ pictures: [Bitmap], _ measure: SmartCrop.Measure) {
        self.measure = measure
        size = pictures.first?.size ?? PixelSize(width: 1, height: 1)
        weights = []
        tones = []
        switch measure {
        case .entropy: tones = pictures.map(Self.tones)
        case .attention:
            weights = [Float](repeating: 0, count: size.pixelCount)
            for picture in pictures where picture.size == size { add(picture) }
        }
    }

    /// The start of the best strip of a length; the most central of equals.
    func bestStart(of length: Int, along axis: Axis) -> Double {
        let whole = axis == .columns ? size.width : size.height
        guard length < whole else { return 0 }
        let scores = (0...(whole - length)).map { start in
            measure == .entropy
                ? entropy(start..<(start + length), axis)
                : attention(start..<(start + length), axis)
        }
        let best = scores.max() ?? 0
        let middle = Double(whole - length) / 2
        let near = scores.indices.filter { scores[$0] >= best - abs(best) * 0.0005 - 1e-9 }
        return near.map(Double.init).min { abs($0 - middle) < abs($1 - middle) } ?? middle
    }

    // MARK: - Attention

    /// The attention of a strip, weighted towards its middle.
    private func attention(_ strip: Range<Int>, _ axis: Axis) -> Double {
        let sums = axis == .columns ? columnSums : rowSums
        let middle = Double(strip.lowerBound + strip.upperBound - 1) / 2
        let half = Double(strip.count) / 2
        return strip.reduce(0) { sum, place in
            let off = (Double(place) - middle) / half
            return sum + Double(sums[place]) * (1 - 0.5 * off * off)
        }
    }

    private var columnSums: [Float] {
        var sums = [Float](repeating: 0, count: size.width)
        for y in 0..<size.height {
            for x in 0..<size.width { sums[x] += weights[y * size.width + x] }
        }
        return sums
    }

    private var rowSums: [Float] {
        (0..<size.height).map { y in
            weights[(y * size.width)..<((y + 1) * size.width)].reduce(0, +)
        }
    }

    /// Adds a picture: edges (Laplacian of the luma), saturation and similarity to skin.
    ///
    /// Proportions after libvips' `smartcrop`; the direction of skin in RGB after smartcrop.js.
    private mutating func add(_ picture: Bitmap) {
        let (width, height) = (size.width, size.height)
        let pixels = picture.withBytes { bytes in
            (0..<size.pixelCount).map { place in
                SIMD4<Float>(
                    Float(bytes[place * 4]), Float(bytes[place * 4 + 1]),
                    Float(bytes[place * 4 + 2]), Float(bytes[place * 4 + 3]))
            }
        }
        let luma = pixels.map { (0.299 * $0.x + 0.587 * $0.y + 0.114 * $0.z) * $0.w / 255 }
        for y in 0..<height {
            for x in 0..<width {
                let place = y * width + x
                let around =
                    luma[y > 0 ? place - width : place]
                    + luma[y + 1 < height ? place + width : place]
                    + luma[x > 0 ? place - 1 : place] + luma[x + 1 < width ? place + 1 : place]
                let edge = min(255, abs(4 * luma[place] - around))
                weights[place] += 5 * edge + Self.color(pixels[place], luma[place])
            }
        }
    }

    private static func color(_ pixel: SIMD4<Float>, _ luma: Float) -> Float {
        // Dark pixels have neither saturation nor skin tone.
        guard pixel.w > 127, luma > 26 else { return 0 }
        let most = max(pixel.x, pixel.y, pixel.z)
        let least = min(pixel.x, pixel.y, pixel.z)
        let saturation = (most - least) * min(1, (255 - luma) / 64)
        let length = (pixel.x * pixel.x + pixel.y * pixel.y + pixel.z * pixel.z).squareRoot()
        let away = pixel / length - SIMD4(0.735, 0.537, 0.415, pixel.w / length)
        let distance = (away.x * away.x + away.y * away.y + away.z * away.z).squareRoot()
        let skin = max(0, 1 - distance / 0.2) * 255
        return 0.6 * saturation + 1.2 * skin
    }

    // MARK: - Entropy

    private static func tones(_ picture: Bitmap) -> [UInt8] {
        picture.withBytes { bytes in
            (0..<picture.size.pixelCount).map { place in
                guard bytes[place * 4 + 3] > 127 else { return 255 }
                let red = 77 * Int(bytes[place * 4])
                let green = 150 * Int(bytes[place * 4 + 1])
                return UInt8((red + green + 29 * Int(bytes[place * 4 + 2])) >> 11)
            }
        }
    }

    /// The entropy of the tones of a strip in bits, over all pictures.
    private func entropy(_ strip: Range<Int>, _ axis: Axis) -> Double {
        tones.reduce(0) { sum, picture in
            var histogram = [Int](repeating: 0, count: 32)
            let (columns, rows) =
                axis == .columns ? (strip, 0..<size.height) : (0..<size.width, strip)
            for y in rows {
                for x in columns where picture[y * size.width + x] < 32 {
                    histogram[Int(picture[y * size.width + x])] += 1
                }
            }
            return sum + Self.bits(histogram)
        }
    }

    private static func bits(_ histogram: [Int]) -> Double {
        let total = Double(histogram.reduce(0, +))
        return histogram.reduce(0) { sum, count in
            guard count > 0 else { return sum }
            let share = Double(count) / total
            return sum - share * share.binaryLogarithm
        }
    }
}

extension Double {
    /// The binary logarithm of a positive number to five digits, the same on every platform.
    fileprivate var binaryLogarithm: Double {
        // An odd series of (s-1)/(s+1) over the significand, which is 1 to 2.
        let ratio = (significand - 1) / (significand + 1)
        let square = ratio * ratio
        let series =
            ratio * (1 + square * (1 / 3 + square * (1 / 5 + square * (1 / 7 + square / 9))))
        return Double(exponent) + series * 2.885390081777927
    }
}
