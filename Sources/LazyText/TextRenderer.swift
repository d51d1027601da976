internal import CASS
internal import LazyBytes
package import LazyMedia

/// Draws text over pictures with libass, which is loaded for the first one.
///
/// Unchecked: every use is inside of its lock.
package final class TextRenderer: @unchecked Sendable {
    private let lock = Locked(())
    private let text: OpaquePointer
    private var script = ""

    /// The version of libass, or nil where it is missing; loads it.
    package static var libraryVersion: String? {
        guard cass_load() == 0 else { return nil }
        let digits = String(UInt32(bitPattern: cass_version()), radix: 16)
        // Without leading zeros: 0x01701000 is 1701000, whose last three digits are of builds.
        guard digits.count > 5, let number = Int(digits.dropLast(3)) else { return digits }
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }

    /// Throws `.environment` where libass is missing.
    package init() throws(MediaError) {
        guard cass_load() == 0 else {
            throw MediaError(.environment, String(cString: cass_load_message()))
        }
        guard let text = cass_open() else {
            throw MediaError(.environment, "There is no memory for drawing text.")
        }
        self.text = text
        LiveHandles.didOpen()
    }

    deinit {
        cass_close(text)
        LiveHandles.didClose()
    }

    /// Draws what a script in the format ASS shows at a time over rows of a picture.
    package func draw(
        _ script: String, at time: Duration = .zero, over rows: UnsafeMutableRawBufferPointer,
        of size: PixelSize
    ) throws(MediaError) {
        let isScript = lock.withLock { _ in
            guard set(script), let pixels = rows.bindMemory(to: UInt8.self).baseAddress else {
                return false
            }
            let milliseconds = MediaTime(time).microseconds / 1000
            cass_draw(text, milliseconds, pixels, Int32(size.width), Int32(size.height))
            return true
        }
        guard isScript else { throw MediaError(.malformed, "The subtitles cannot be read.") }
    }

    /// Parses a script unless it is the last one.
    private func set(_ script: String) -> Bool {
        if script == self.script { return true }
        var copy = script
        let isScript = copy.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return false }
                return cass_set_script(text, start, characters.count) == 0
            }
        }
        if isScript { self.script = script }
        return isScript
    }
}
