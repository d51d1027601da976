/// The 256 colors that indices may name, each as the four bytes of an RGBA pixel.
///
/// An index beyond the file's palette is opaque black, as in browsers.
struct GIFPalette: Sendable {
    private(set) var pixels = [UInt32](repeating: 0xFF00_0000, count: 256)

    /// The palette of a GIF that has none.
    init() {}

    /// Makes a palette of at most 256 colors.
    init(_ colors: some Sequence<(UInt8, UInt8, UInt8)>) {
        for (index, (red, green, blue)) in zip(0..<256, colors) {
            // The bytes R, G, B, A in memory, on a machine that stores the low byte first.
            pixels[index] = 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
        }
    }

    /// The same colors with one transparent index, written as 0.
    func transparent(at index: UInt8?) -> GIFPalette {
        guard let index else { return self }
        var copy = self
        copy.pixels[Int(index)] = 0
        return copy
    }
}
