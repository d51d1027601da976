internal import LazyBase
internal import LazyEditing
public import LazyMedia

/// Hands animations over to a terminal, which plays them on when the process has ended.
///
/// Kitty takes any media as frames, of which only what changes is sent; a terminal with iTerm2's protocol
/// takes GIF files.
public struct LeftAnimation {
    private let settings: PlayerSettings
    private let layout: PixelLayout
    private let output: EscapeBuffer
    private let isKitty: Bool

    /// The most bytes of pixels that a terminal is given.
    private static let most = 1 << 30

    /// Makes it; nil where the chosen protocol, or that of the terminal, cannot do it.
    public init?(_ settings: PlayerSettings) {
        let graphics = settings.traits.graphics
        let isNamed = settings.terminalProtocol != nil
        switch settings.chosenProtocol {
        case .kitty where isNamed || graphics.animates: isKitty = true
        case .iterm2: isKitty = false
        default: return nil
        }
        self.settings = settings
        layout = PixelLayout(
            settings.wholeGrid, .inline, settings.traits, isSynchronized: false)
        output = EscapeBuffer(isWrapped: graphics.isInTmux)
    }

    /// Hands a sequence over, with the cursor below it; false if the terminal cannot play this type.
    public func leave(_ sequence: FrameSequence) throws(TerminalError) -> Bool {
        if isKitty {
            try leaveFrames(sequence)
            return true
        }
        guard sequence.info.type == .gif, let file = settings.file?() else { return false }
        var canvas = ITermCanvas(
            settings.wholeGrid, .inline, settings.traits, settings.encoders)
        try write { (use) throws(SystemError) in
            try file.withBytes { (bytes) throws(SystemError) in
                try canvas.draw(file: bytes, of: sequence.info.size, use)
            }
        }
        return true
    }

    private func leaveFrames(_ sequence: FrameSequence) throws(TerminalError) {
        let size = KittyCanvas(
            settings.wholeGrid, .inline, settings.traits, settings.encoders
        ).pixelSize(of: sequence.info.size, hasPalette: sequence.info.codec == "gif")
        let source = try PlayerFrames(
            sequence, size: size, settings.cancellation ?? CancellationFlag())
        let image = KittyImage(slot: 2)
        let encoder = QuickPNG(settings.encoders)
        var frames = 0
        var before: Frame?
        if settings.part.start > .zero { try source.seek(toTime: settings.part.start) }
        while let frame = try source.next(isPart: false) {
            if settings.part.relation(of: frame.timing) == .after { break }
            frames += 1
            guard frames * size.rgbaByteCount <= Self.most else {
                throw .media(
                    MediaError(
                        .limitExceeded,
                        "\(frames) frames of \(size) are too much for a terminal; choose a part with --end."
                    ))
            }
            output.removeAll()
            do throws(MediaError) {
                try append(frame, after: before, number: frames, image, encoder)
            } catch {
                throw .media(error)
            }
            try write { (use) throws(SystemError) in try use(output.content) }
            before = frame
        }
        guard frames > 0 else {
            throw .media(MediaError(.notFound, "No frame is in the requested range."))
        }
        output.removeAll()
        let plays = settings.looping.plays(sequence.info.loop)
        if frames > 1 { image.appendStart(plays: plays, to: output) }
        try write { (use) throws(SystemError) in try use(output.content) }
    }

    private func append(
        _ frame: Frame, after before: Frame?, number: Int, _ image: KittyImage,
        _ encoder: QuickPNG
    ) throws(MediaError) {
        let milliseconds = Self.milliseconds(frame)
        guard let before else {
            let cells = layout.cells(of: frame.bitmap.size)
            layout.begin(output, cells, isFirst: true)
            try encoder.encode(frame.bitmap) { (bytes) throws(MediaError) in
                image.append(
                    .png(bytes),
                    for: .picture(
                        columns: cells.columns, lines: cells.lines, isInline: false),
                    to: output)
            }
            image.appendFirstTime(milliseconds, to: output)
            layout.end(output, cells)
            return
        }
        var changes = PictureChanges(before.bitmap, frame.bitmap)
        changes.coverSomething()
        try encoder.encode(changes.picture(before.bitmap, frame.bitmap)) {
            (bytes) throws(MediaError) in
            image.append(
                .png(bytes),
                for: .frame(
                    x: changes.rect.x, y: changes.rect.y, replaces: !changes.isOpaque,
                    over: number - 1, milliseconds: milliseconds), to: output)
        }
    }

    // The rest of rounding goes to the next frame.
    private static func milliseconds(_ frame: Frame) -> Int {
        let start = frame.presentationTime.milliseconds
        let time = frame.presentationTime.adding(frame.duration).milliseconds - start
        return Int(clamping: min(max(1, time), Int64(KittyImage.most)))
    }

    private func write(
        _ body: ((UnsafeRawBufferPointer) throws(SystemError) -> Void) throws(SystemError) -> Void
    ) throws(TerminalError) {
        do throws(SystemError) {
            try body { (bytes) throws(SystemError) in
                try OutputStream.standardOutput.write(bytes)
            }
        } catch {
            throw .output(error)
        }
    }
}
