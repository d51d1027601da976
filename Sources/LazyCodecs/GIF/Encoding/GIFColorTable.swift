/// A color table of an image or of the file.
struct GIFColorTable: Hashable, Sendable {
    /// The most entries there can be.
    static let maxEntries = 256

    /// Opaque RGBA pixels, the low byte red; at most 256 with the transparent one.
    let colors: [UInt32]
    /// Whether an index after the colors is transparent.
    let hasTransparent: Bool

    /// Makes a table; a transparent index is added where there is room for it.
    init(_ colors: [UInt32], wantsTransparent: Bool = true) {
        self.colors = colors
        hasTransparent = wantsTransparent && colors.count < Self.maxEntries
    }

    /// The transparent index.
    var transparent: UInt8? { hasTransparent ? UInt8(truncatingIfNeeded: colors.count) : nil }

    /// The number of bits that its indices need, 1 to 8.
    var bitCount: Int {
        let entries = max(2, colors.count + (hasTransparent ? 1 : 0))
        return Int.bitWidth - (entries - 1).leadingZeroBitCount
    }

    /// The minimum code size for its indices, 2 to 8 (GIF89a, appendix F).
    var codeSize: Int { max(2, bitCount) }
}

/// The graphic control of an image.
struct GIFControl: Hashable, Sendable {
    /// Hundredths of a second, at most 65535.
    var delay = 0
    /// Whether the image's rectangle is cleared before the next one.
    var clearsAfter = false
    /// The transparent index.
    var transparent: UInt8?
}
