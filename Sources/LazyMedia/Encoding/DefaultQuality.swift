/// The quality that encoders take where the options give none, 0 to 100.
@usableFromInline
package enum DefaultQuality {
    /// That of most formats; their scales are laid out so that losses are hard to see there.
    @usableFromInline package static let standard = 75.0
    /// AVIF's.
    package static let avif = 60.0
    /// JPEG's.
    @usableFromInline package static let jpeg = 80.0
}
