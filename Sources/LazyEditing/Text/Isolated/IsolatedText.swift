internal import CASS
internal import LazyBase
internal import LazyMedia

/// A sanitized script that is drawn in a process of its own.
final class IsolatedText {
    private let reader: any FrameReader

    /// Opens a script where media is decoded; nil where that is this process.
    convenience init?(
        _ script: ScriptSanitizer, _ fonts: [SubtitleTrack.Font], for size: PixelSize,
        beside media: any OpenedMedia, _ options: ReaderOptions
    ) throws(MediaError) {
        let text = try media.openedBeside(as: .text, options.cancellation) {
            () throws(MediaError) in
            let system = try SystemFonts().fonts(for: FontUse(script))
            let file = TextFile(
                size: size, header: script.header, lines: script.lines, fonts: fonts + system)
            return try MemoryBytes(file.bytes)
        }
        guard let text else { return nil }
        var options = ReaderOptions(
            limits: options.limits, isSingleFrame: true, cancellation: options.cancellation)
        options.lendsPixels = true
        self.init(try text.makeReader(options))
    }

    /// Takes over a reader of drawn text.
    init(_ reader: any FrameReader) { self.reader = reader }

    /// Draws what is shown at a time over a picture.
    func draw(
        at time: Duration, over rows: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        let frame: Frame?
        do throws(MediaError) {
            try reader.seek(toTime: time)
            frame = try reader.nextFrame()
        } catch {
            throw error.ofSubtitles
        }
        guard let frame, let pixels = rows.bindMemory(to: UInt8.self).baseAddress else { return }
        frame.bitmap.withBytes { canvas in
            guard let start = canvas.bindMemory(to: UInt8.self).baseAddress else { return }
            cass_compose(start, pixels, min(canvas.count, rows.count) / 4)
        }
    }
}

extension MediaError {
    /// What became of the process that draws, as an error of the subtitles.
    fileprivate var ofSubtitles: MediaError {
        guard [.decoderCrashed, .timedOut, .limitExceeded].contains(code) else { return self }
        return MediaError(
            code, "The subtitles are not drawn. \(message)", excess: excess, underlying: underlying)
    }
}
