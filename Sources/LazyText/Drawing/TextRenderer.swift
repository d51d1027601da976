internal import CASS
internal import LazyBytes
package import LazyMedia

/// Draws text over pictures with libass, which is loaded for the first one.
///
/// Unchecked: every use is inside of its lock.
package final class TextRenderer: @unchecked Sendable {
    private let lock = Locked(())
    private let text: OpaquePointer
    private var content: TextContent?
    private var size: PixelSize?
    private var warning: MediaWarning?

    /// The version of libass, or nil where it is missing; loads it.
    package static var libraryVersion: String? {
        guard cass_load() == 0 else { return nil }
        let digits = String(UInt32(bitPattern: cass_version()), radix: 16)
        // Without leading zeros: 0x01701000 is 1701000, whose last three digits are of builds.
        guard digits.count > 5, let number = Int(digits.dropLast(3)) else { return digits }
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }

    /// Makes a renderer with fonts beside those of the system; throws `.environment` where libass is missing.
    package init(fonts: [SubtitleTrack.Font] = []) throws(MediaError) {
        guard cass_load() == 0 else {
            throw MediaError(.environment, String(cString: cass_load_message()))
        }
        guard let text = cass_open() else {
            throw MediaError(.environment, "There is no memory for drawing text.")
        }
        self.text = text
        LiveHandles.didOpen()
        for font in fonts {
            font.bytes.withUnsafeBytes { bytes in
                if let start = bytes.baseAddress {
                    cass_add_font(text, font.name, start, bytes.count)
                }
            }
        }
    }

    deinit {
        cass_close(text)
        LiveHandles.didClose()
    }

    /// Makes a renderer for a content, with its fonts.
    package convenience init(for content: TextContent) throws(MediaError) {
        try self.init(fonts: content.fonts)
    }

    /// What of the content that was drawn last is left out.
    package var warnings: [MediaWarning] { lock.withLock { _ in warning.map { [$0] } ?? [] } }

    /// Draws what a content shows at a time over rows of a picture.
    package func draw(
        _ content: TextContent, at time: Duration = .zero, over rows: UnsafeMutableRawBufferPointer,
        of size: PixelSize
    ) throws(MediaError) {
        let isScript = lock.withLock { _ in
            guard set(content, size), let pixels = rows.bindMemory(to: UInt8.self).baseAddress
            else { return false }
            let milliseconds = MediaTime(time).microseconds / 1000
            cass_draw(text, milliseconds, pixels, Int32(size.width), Int32(size.height))
            return true
        }
        guard isScript else { throw MediaError(.malformed, "The subtitles cannot be read.") }
    }

    /// Parses a content unless it is the last one; what may be drawn depends on the size of the picture.
    private func set(_ content: TextContent, _ size: PixelSize) -> Bool {
        if content == self.content, size == self.size { return true }
        let script =
            switch content {
            case .script(let text): ScriptSanitizer(script: text, for: size)
            case .track(let track): ScriptSanitizer(track, for: size)
            }
        guard Self.use(script.header, { cass_set_header(text, $0, $1) == 0 }) else { return false }
        for line in script.lines {
            Self.use(line.text) { cass_add_line(text, $0, $1, line.start, line.duration) }
        }
        (self.content, self.size, warning) = (content, size, script.warning)
        return true
    }

    @discardableResult
    private static func use<Result>(
        _ text: String, _ body: (UnsafePointer<CChar>, Int) -> Result
    ) -> Result {
        // With a zero after it, so that an empty text has an address, too.
        text.withCString { body($0, text.utf8.count) }
    }
}
