/// What is known of a pixel before it is compressed: a number of the kind the canvas buffers hold.
///
/// The low byte is the index of its color; above stand flags.
enum GIFSymbol {
    /// What is shown there already will do: it may be painted or left.
    static let kept: UInt16 = 0x100
    /// It is to be left: what is shown is close, but its index names another color.
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
