/// The perceived distance of two colors.
package enum PixelError {
    /// The squared distance, with green weighted more and blue less; the weights sum to three.
    @inlinable @inline(__always)
    package static func between(_ a: UInt32, _ b: UInt32) -> Int32 {
        let red = Int32(a & 0xFF) - Int32(b & 0xFF)
        let green = Int32(a >> 8 & 0xFF) - Int32(b >> 8 & 0xFF)
        let blue = Int32(a >> 16 & 0xFF) - Int32(b >> 16 & 0xFF)
        return (red * red * 8 + green * green * 11 + blue * blue * 5) >> 3
    }
}
