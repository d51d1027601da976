import Glibc
internal import LazyMedia

/// The luma, the color differences and the alpha of a small picture.
struct HashChannels {
    private let size: PixelSize
    private var luma: [Double] = []
    private var yellow: [Double] = []
    private var redness: [Double] = []
    private var alpha: [Double] = []
    let hasAlpha: Bool

    /// Reads a picture of at most 100 pixels a side; transparent pixels take the average color.
    init(_ bitmap: Bitmap) {
        size = bitmap.size
        let pixels = bitmap.withBytes { Array($0.bindMemory(to: SIMD4<UInt8>.self)) }
            .map { SIMD4<Double>($0) / 255 }
        let coverage = pixels.reduce(0) { $0 + $1.w }
        hasAlpha = coverage < Double(size.pixelCount) - 1e-6
        var average = pixels.reduce(SIMD4<Double>()) { $0 + $1 * $1.w }
        if coverage > 0 { average /= coverage }
        for pixel in pixels {
            let color = average * (1 - pixel.w) + pixel * pixel.w
            luma.append((color.x + color.y + color.z) / 3)
            yellow.append((color.x + color.y) / 2 - color.z)
            redness.append(color.x - color.y)
            alpha.append(pixel.w)
        }
    }

    /// One channel in frequencies: their mean, the others scaled to 0 through 1, and the scale.
    struct Spectrum {
        var mean = 0.0
        var others: [Double] = []
        var scale = 0.0
    }

    var isLandscape: Bool { size.width > size.height }

    /// The number of luma frequencies of each side.
    var counts: (columns: Int, rows: Int) {
        let most = hasAlpha ? 5.0 : 7.0
        let longest = Double(max(size.width, size.height))
        return (
            max(1, Int((most * Double(size.width) / longest).rounded())),
            max(1, Int((most * Double(size.height) / longest).rounded()))
        )
    }

    var spectra: (luma: Spectrum, yellow: Spectrum, redness: Spectrum, alpha: Spectrum?) {
        let (columns, rows) = counts
        return (
            spectrum(luma, max(3, columns), max(3, rows)), spectrum(yellow, 3, 3),
            spectrum(redness, 3, 3), hasAlpha ? spectrum(alpha, 5, 5) : nil
        )
    }

    /// The frequencies of a triangle, the mean first.
    static func frequencies(_ columns: Int, _ rows: Int) -> [(x: Int, y: Int)] {
        (0..<rows).flatMap { y in
            (0..<columns).filter { $0 * rows < columns * (rows - y) }.map { (x: $0, y: y) }
        }
    }

    private func spectrum(_ channel: [Double], _ columns: Int, _ rows: Int) -> Spectrum {
        var spectrum = Spectrum()
        for (x, y) in Self.frequencies(columns, rows) {
            let value = amplitude(channel, x, y)
            if x == 0, y == 0 {
                spectrum.mean = value
            } else {
                spectrum.others.append(value)
                spectrum.scale = max(spectrum.scale, abs(value))
            }
        }
        guard spectrum.scale > 0 else { return spectrum }
        spectrum.others = spectrum.others.map { 0.5 + 0.5 / spectrum.scale * $0 }
        return spectrum
    }

    private func amplitude(_ channel: [Double], _ x: Int, _ y: Int) -> Double {
        let (width, height) = (size.width, size.height)
        let across = (0..<width).map {
            cos(.pi / Double(width) * Double(x) * (Double($0) + 0.5))
        }
        var sum = 0.0
        for row in 0..<height {
            let down = cos(.pi / Double(height) * Double(y) * (Double(row) + 0.5))
            for column in 0..<width { sum += channel[row * width + column] * across[column] * down }
        }
        return sum / Double(size.pixelCount)
    }
}

extension ThumbHash {
    /// The bytes of channels: two headers, the alpha, then four bits per frequency.
    init(channels: HashChannels) {
        let (luma, yellow, redness, alpha) = channels.spectra
        let (columns, rows) = channels.counts
        var first = Self.bits(luma.mean, 63) | Self.bits(yellow.mean, 31.5, from: 31.5) << 6
        first |= Self.bits(redness.mean, 31.5, from: 31.5) << 12
        first |= Self.bits(luma.scale, 31) << 18 | (channels.hasAlpha ? 1 : 0) << 23
        var second = channels.isLandscape ? rows : columns
        second |= Self.bits(yellow.scale, 63) << 3 | Self.bits(redness.scale, 63) << 9
        second |= (channels.isLandscape ? 1 : 0) << 15
        var bytes = [first, first >> 8, first >> 16, second, second >> 8].map {
            UInt8(truncatingIfNeeded: $0)
        }
        if let alpha {
            bytes.append(UInt8(Self.bits(alpha.mean, 15) | Self.bits(alpha.scale, 15) << 4))
        }
        let nibbles = (luma.others + yellow.others + redness.others + (alpha?.others ?? []))
            .map { UInt8(Self.bits($0, 15)) }
        for place in stride(from: 0, to: nibbles.count, by: 2) {
            bytes.append(nibbles[place] | (place + 1 < nibbles.count ? nibbles[place + 1] << 4 : 0))
        }
        self.init(checked: bytes)
    }

    private static func bits(_ value: Double, _ factor: Double, from origin: Double = 0) -> Int {
        max(0, Int((origin + factor * value).rounded()))
    }
}
