/// A color of eight bits per channel, with straight alpha.
public struct PixelColor: Hashable, Sendable, CustomStringConvertible {
    /// Red, 0 to 255.
    public var red: UInt8
    /// Green, 0 to 255.
    public var green: UInt8
    /// Blue, 0 to 255.
    public var blue: UInt8
    /// Opacity, 0 to 255.
    public var alpha: UInt8

    /// Makes a color of its channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Makes an opaque color of a number such as `0xFF8000`.
    public init(_ rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }

    /// Opaque black.
    public static let black = PixelColor(0x000000)
    /// Opaque white.
    public static let white = PixelColor(0xFFFFFF)

    /// The channels as eight hexadecimal digits, such as `ff8000ff`.
    public var description: String {
        [red, green, blue, alpha].map { channel in
            let digits = String(channel, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Red, green, blue and alpha as one pixel.
    public var pixel: SIMD4<UInt8> { SIMD4(red, green, blue, alpha) }
}
