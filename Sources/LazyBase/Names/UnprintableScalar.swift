extension Unicode.Scalar {
    /// Whether it is not printed for people, as it is none of what they read.
    ///
    /// C0, DEL and C1 are orders to a terminal. Marks of direction move what follows them, other format characters
    /// and separators hide in a name or break a line. Joiners and the tags of flags belong to letters and emoji.
    package var isUnprintable: Bool {
        if value < 0x7F { return value < 0x20 }
        if value < 0xAD { return value <= 0x9F }
        switch properties.generalCategory {
        case .lineSeparator, .paragraphSeparator: return true
        case .format: return !Self.joiners.contains(value) && !Self.tags.contains(value)
        default: return false
        }
    }

    private static let joiners: ClosedRange<UInt32> = 0x200C...0x200D
    private static let tags: ClosedRange<UInt32> = 0xE0020...0xE007F
}
