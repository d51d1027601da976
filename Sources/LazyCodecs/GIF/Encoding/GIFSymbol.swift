/// A pixel before compression, as it is in the buffers of `GIFFrameJob`.
///
/// The low byte is its color index, the high byte holds flags.
enum GIFSymbol {
    /// The shown color is good enough: the pixel may be painted or left.
    static let kept: UInt16 = 0x100
    /// It must be left: the shown color is close, but has no index in this palette.
    static let leftOnly: UInt16 = 0x200
    /// It is transparent in the source.
    static let clear: UInt16 = 0x400

    @inline(__always)
    static func index(_ symbol: UInt16) -> UInt32 { UInt32(symbol & 0xFF) }

    /// Whether painting and leaving look the same.
    @inline(__always)
    static func hasChoice(_ symbol: UInt16) -> Bool { symbol & 0xFF00 == kept }

    /// The index that is tried first.
    @inline(__always)
    static func preferred(_ symbol: UInt16, _ transparent: UInt32) -> UInt32 {
        symbol & 0xFF00 == 0 ? index(symbol) : transparent
    }
}
