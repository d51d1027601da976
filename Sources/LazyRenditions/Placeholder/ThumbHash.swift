internal import FoundationEssentials
public import LazyMedia

/// A placeholder of 5 to 25 bytes: a blurred picture with its shape, average color and transparency.
///
/// The bytes are those of Evan Wallace's ThumbHash, which has decoders for many languages. They hold the
/// lowest frequencies of a cosine transform of the luma and of two color differences.
///
/// ```swift
/// let hash = try ThumbHash(poster.bitmap)
/// print(hash.base64, hash.averageColor)
/// ```
public struct ThumbHash: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Computes the hash of a picture; larger pictures are scaled down first.
    ///
    /// Throws `.environment` where there is no memory.
    public init(_ bitmap: Bitmap) throws(MediaError) {
        let box = TargetSize(width: Self.side, height: Self.side, fit: .scaleDown)
        self.init(channels: HashChannels(try bitmap.scaled(to: box.scaledSize(of: bitmap.size))))
    }

    init(checked bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a hash; nil where the bytes are too few for their own header.
    public init?(bytes: [UInt8]) {
        guard bytes.count >= 5 else { return nil }
        self.bytes = bytes
        let layout = HashLayout(bytes)
        guard bytes.count >= layout.byteCount else { return nil }
    }

    /// The bytes in base64.
    public var base64: String { Data(bytes).base64EncodedString() }

    /// The average of the visible pixels, with the average alpha.
    public var averageColor: PixelColor {
        let header = HashLayout(bytes)
        let light = header.luma
        let blue = light - 2 / 3 * header.yellow
        let red = (3 * light - blue + header.redness) / 2
        return PixelColor(
            red: Self.byte(red), green: Self.byte(red - header.redness), blue: Self.byte(blue),
            alpha: Self.byte(header.alpha))
    }

    static func byte(_ value: Double) -> UInt8 {
        UInt8(max(0, min(255, (value * 255).rounded())))
    }

    /// More pixels do not change the few frequencies.
    private static let side = 64
}

/// The header of a hash.
struct HashLayout {
    let luma: Double
    let yellow: Double
    let redness: Double
    let hasAlpha: Bool
    let isLandscape: Bool
    /// The number of luma frequencies of the shorter side.
    let shortCount: Int
    let alpha: Double

    init(_ bytes: [UInt8]) {
        let first = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        let second = Int(bytes[3]) | Int(bytes[4]) << 8
        luma = Double(first & 63) / 63
        yellow = Double(first >> 6 & 63) / 31.5 - 1
        redness = Double(first >> 12 & 63) / 31.5 - 1
        hasAlpha = first >> 23 == 1
        isLandscape = second >> 15 == 1
        shortCount = second & 7
        alpha = hasAlpha && bytes.count > 5 ? Double(bytes[5] & 15) / 15 : 1
    }

    /// The bytes that the header announces.
    var byteCount: Int {
        let long = hasAlpha ? 5 : 7
        let columns = max(3, isLandscape ? long : shortCount)
        let rows = max(3, isLandscape ? shortCount : long)
        let luma = HashChannels.frequencies(columns, rows).count - 1
        // Five of each color difference, and fourteen of alpha.
        let count = luma + 10 + (hasAlpha ? 14 : 0)
        return (hasAlpha ? 6 : 5) + (count + 1) / 2
    }
}
