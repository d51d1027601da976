internal import LazyBytes
internal import LazyMedia

/// What an effort of 0 to 10 means for writing animated PNG.
struct APNGEffort: Sendable {
    /// How pixels are compressed.
    enum Press: Equatable, Sendable {
        /// By ISA-L, whose levels are quick.
        case quick
        /// By zlib at a level.
        case zlib(CInt)
    }

    let press: Press
    /// Whether ways to write a frame are tried, by a quick compression of each.
    let tries: Bool
    /// Whether each filter is tried by the compression that is written.
    let triesWholly: Bool

    /// The same trials, all by quick compression.
    var sketch: APNGEffort { APNGEffort(press: .quick, tries: tries, triesWholly: false) }

    private init(press: Press, tries: Bool, triesWholly: Bool) {
        (self.press, self.tries, self.triesWholly) = (press, tries, triesWholly)
    }

    /// The meaning of an effort.
    init(_ effort: Int) {
        switch effort {
        case ...2: (press, tries, triesWholly) = (.quick, false, false)
        case ...4: (press, tries, triesWholly) = (.zlib(6), true, false)
        case ...6: (press, tries, triesWholly) = (.zlib(8), true, false)
        default: (press, tries, triesWholly) = (.zlib(9), true, true)
        }
    }
}
