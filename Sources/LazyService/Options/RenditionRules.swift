internal import LazyEditing

/// What a service allows and adds to what is made.
struct RenditionRules: Sendable {
    /// Bounds of sources; those of a path only go down.
    var bounds = ServiceOptions.SourceBounds()
    /// The timestamp of films without one of their own, in seconds; nil for the best one.
    var videoSecond: Double?
    /// Whether AVIF or WebP is made for clients that show it, where no format is asked for.
    var prefersAVIF = true, prefersWebP = true
    /// Whether the source is sent where it is what was asked for and the result has more bytes.
    var sendsSource = true
    /// The most pixels of a side.
    var longestSide = 16_384
    /// The most seconds of an animation of parts.
    var longestAnimation = Duration.seconds(60)
    /// The most tiles of a sheet.
    var mostTiles = 1024
    /// What watermarks show; without it they are not drawn.
    var watermark: PictureOverlay?
}
