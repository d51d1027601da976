/// What an effort of 0 to 10 means for writing animated PNG.
struct APNGEffort: Sendable {
    /// How pixels are compressed.
    enum Compression: Equatable, Sendable {
        /// By ISA-L, quickly.
        case quick
        /// By zlib at a level.
        case zlib(CInt)
    }

    let compression: Compression
    /// Whether several ways to write a frame are tried, by quick compression.
    let tries: Bool
    /// Whether filters are tried by the final compression.
    let triesWholly: Bool

    /// The same trials by quick compression only.
    var quickTrial: APNGEffort { APNGEffort(compression: .quick, tries: tries, triesWholly: false) }

    private init(compression: Compression, tries: Bool, triesWholly: Bool) {
        (self.compression, self.tries, self.triesWholly) = (compression, tries, triesWholly)
    }

    /// The meaning of an effort.
    init(_ effort: Int) {
        switch effort {
        case ...2: (compression, tries, triesWholly) = (.quick, false, false)
        case ...4: (compression, tries, triesWholly) = (.zlib(6), true, false)
        case ...6: (compression, tries, triesWholly) = (.zlib(8), true, false)
        default: (compression, tries, triesWholly) = (.zlib(9), true, true)
        }
    }
}
