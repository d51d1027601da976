package import LazyMedia

/// Draws text over pictures; for one thread at a time.
package protocol TextDrawing: AnyObject {
    /// What of the content that was drawn last is left out.
    var warnings: [MediaWarning] { get }

    /// Draws what a content shows at a time over rows of a picture.
    ///
    /// Throws `.environment` where the library that draws is missing.
    func draw(
        _ content: TextContent, at time: Duration, over rows: UnsafeMutableRawBufferPointer,
        of size: PixelSize
    ) throws(MediaError)
}

extension TextDrawing {
    /// Draws a text of this program.
    func draw(
        _ text: TextScript, over rows: UnsafeMutableRawBufferPointer, of size: PixelSize
    ) throws(MediaError) {
        try draw(.script(text.script(for: size)), at: .zero, over: rows, of: size)
    }
}

/// The library that draws text, which is named here alone: libass, loaded for the first text.
package enum TextBackend {
    /// Its version, or nil where it is missing; loads it.
    package static var libraryVersion: String? { TextRenderer.libraryVersion }

    /// Makes a renderer for text of this program.
    static func makeRenderer() -> any TextDrawing { TextRenderer() }

    /// Makes a renderer for text of files, over the frames of media that is read with some options.
    ///
    /// Where that media is decoded in another process, text is drawn in one, too.
    static func makeRenderer(
        beside media: any OpenedMedia, _ options: ReaderOptions
    ) -> any TextDrawing {
        TextRenderer(beside: media, options)
    }
}
