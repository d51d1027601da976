internal import CASS
internal import LazyBase
internal import LazyMedia

/// A sanitized script in libass, which is loaded for the first one.
///
/// Unchecked: every use is inside of its lock.
final class TextEngine: @unchecked Sendable {
    private let lock = Locked(())
    private let text: OpaquePointer

    /// Loads libass; throws `.environment` where it is missing.
    static func load() throws(MediaError) {
        guard cass_load() == 0 else {
            throw MediaError(.environment, String(cString: cass_load_message()))
        }
    }

    /// Makes an engine with fonts, which may look for those of the system, too.
    convenience init(
        fonts: [SubtitleTrack.Font], hasSystemFonts: Bool
    ) throws(MediaError) {
        try Self.load()
        guard let text = cass_open(hasSystemFonts ? 1 : 0) else { throw .noMemoryForText }
        self.init(text)
        for font in fonts {
            font.bytes.withUnsafeBytes { bytes in
                if let start = bytes.baseAddress {
                    cass_add_font(text, font.name, start, bytes.count)
                }
            }
        }
    }

    /// Makes an engine that opens no files.
    convenience init(_ file: TextFile) throws(MediaError) {
        try self.init(fonts: file.fonts, hasSystemFonts: false)
        try set(header: file.header, file.lines)
    }

    private init(_ text: OpaquePointer) {
        self.text = text
        LiveHandles.didOpen()
    }

    deinit {
        cass_close(text)
        LiveHandles.didClose()
    }

    /// Replaces the script.
    func set(header: String, _ lines: [SubtitleTrack.Line]) throws(MediaError) {
        let isRead = lock.withLock { _ in
            guard Self.use(header, { cass_set_header(text, $0, $1) == 0 }) else { return false }
            for line in lines {
                Self.use(line.text) { cass_add_line(text, $0, $1, line.start, line.duration) }
            }
            return true
        }
        guard isRead else { throw .noMemoryForText }
    }

    /// Draws what is shown at a time over a picture.
    func draw(
        at time: Duration, over rows: UnsafeMutableRawBufferPointer, of size: PixelSize
    ) throws(MediaError) {
        guard let pixels = rows.bindMemory(to: UInt8.self).baseAddress else { return }
        let isDrawn = lock.withLock { _ in
            cass_draw(
                text, Self.milliseconds(time), pixels, Int32(size.width), Int32(size.height)) == 0
        }
        guard isDrawn else { throw .noMemoryForText }
    }

    /// Writes what is shown at a time, and nothing elsewhere.
    func render(
        at time: Duration, into rows: UnsafeMutableRawBufferPointer, of size: PixelSize
    ) {
        guard let pixels = rows.bindMemory(to: UInt8.self).baseAddress else { return }
        lock.withLock { _ in
            cass_render(
                text, Self.milliseconds(time), pixels, Int32(size.width), Int32(size.height))
        }
    }

    private static func milliseconds(_ time: Duration) -> Int64 {
        MediaTime(time).microseconds / 1000
    }

    @discardableResult
    private static func use<Result>(
        _ text: String, _ body: (UnsafePointer<CChar>, Int) -> Result
    ) -> Result {
        // With a zero after it, so that an empty text has an address, too.
        text.withCString { body($0, text.utf8.count) }
    }
}

extension MediaError {
    fileprivate static let noMemoryForText = MediaError(
        .environment, "There is no memory for drawing text.")
}
