internal import CASS
internal import LazyBase
package import LazyMedia

/// Draws text over pictures with libass: in this process, or in one of its own beside media that is isolated.
///
/// For one thread at a time.
package final class TextRenderer: TextDrawing {
    private let media: (any OpenedMedia)?
    private let options: ReaderOptions
    private var content: TextContent?
    private var size: PixelSize?
    private var source: Source?
    /// The fonts of the engine in this process are those for it.
    private var use: FontUse?
    /// What of the content that was drawn last is left out.
    package private(set) var warnings: [MediaWarning] = []

    private enum Source {
        case here(TextEngine)
        case isolated(IsolatedText)
    }

    /// The version of libass, or nil where it is missing; loads it.
    package static var libraryVersion: String? {
        guard cass_load() == 0 else { return nil }
        let digits = String(UInt32(bitPattern: cass_version()), radix: 16)
        // Without leading zeros: 0x01701000 is 1701000, whose last three digits are of builds.
        guard digits.count > 5, let number = Int(digits.dropLast(3)) else { return digits }
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }

    /// Makes a renderer for text of this program.
    package init() {
        media = nil
        options = ReaderOptions()
    }

    /// Makes a renderer for text of files, over the frames of media that is read with some options.
    package init(beside media: any OpenedMedia, _ options: ReaderOptions) {
        self.media = media
        self.options = options
    }

    // Throws `.environment` where libass is missing, and what isolated media does.
    package func draw(
        _ content: TextContent, at time: Duration, over rows: UnsafeMutableRawBufferPointer,
        of size: PixelSize
    ) throws(MediaError) {
        if content != self.content || size != self.size || source == nil { try set(content, size) }
        switch source {
        case .here(let engine): try engine.draw(at: time, over: rows, of: size)
        case .isolated(let text): try text.draw(at: time, over: rows)
        case nil: break
        }
    }

    /// Takes another content; what may be drawn of it depends on the size of the picture.
    private func set(_ content: TextContent, _ size: PixelSize) throws(MediaError) {
        let script =
            switch content {
            case .script(let text): ScriptSanitizer(script: text, for: size)
            case .track(let track): ScriptSanitizer(track, for: size)
            }
        if let media,
            let text = try IsolatedText(script, content.fonts, for: size, beside: media, options)
        {
            source = .isolated(text)
        } else {
            // An engine keeps its fonts.
            let use = FontUse(script)
            let engine: TextEngine
            if case .here(let kept) = source, use == self.use, content.fonts == self.content?.fonts
            {
                engine = kept
            } else {
                // libass would ask fontconfig for each glyph that no font has, as often as it is drawn.
                let system = try SystemFonts().fonts(for: use)
                engine = try TextEngine(fonts: content.fonts + system, hasSystemFonts: false)
            }
            try engine.set(header: script.header, script.lines)
            self.use = use
            source = .here(engine)
        }
        (self.content, self.size) = (content, size)
        warnings = script.warning.map { [$0] } ?? []
    }
}
