/// How far two colors are from each other as far as it is seen.
enum PixelError {
    /// The squared distance; green counts more and blue less, three for all.
    @inline(__always)
    static func between(_ a: UInt32, _ b: UInt32) -> Int32 {
        let red = Int32(a & 0xFF) - Int32(b & 0xFF)
        let green = Int32(a >> 8 & 0xFF) - Int32(b >> 8 & 0xFF)
        let blue = Int32(a >> 16 & 0xFF) - Int32(b >> 16 & 0xFF)
        return (red * red * 8 + green * green * 11 + blue * blue * 5) >> 3
    }
}
