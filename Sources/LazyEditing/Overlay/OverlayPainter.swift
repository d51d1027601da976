internal import LazyBase
package import LazyMedia

/// Draws overlays over pictures; for one thread at a time.
package final class OverlayPainter {
    private let overlays: [Overlay]
    /// The size of pictures for which overlays have their own size.
    private let whole: PixelSize
    /// Makes what draws subtitles, where the media of the pictures is decoded.
    private let makeRenderer: () -> any TextDrawing
    // One for each text: a renderer parses its script again when it gets another.
    private var renderers: [Int: any TextDrawing] = [:]
    private var scaled: [Int: (frame: Int, bitmap: Bitmap)] = [:]
    /// Pictures with an arrangement, by the size of those that they are drawn on.
    private var arranged: [Int: (size: PixelSize, picture: Bitmap)] = [:]

    /// Makes a painter for pictures of media that is read with some options.
    package init(
        _ overlays: [Overlay], for whole: PixelSize, of media: any OpenedMedia,
        _ options: ReaderOptions
    ) {
        self.overlays = overlays
        self.whole = whole
        makeRenderer = { TextBackend.makeRenderer(beside: media, options) }
    }

    /// Makes a painter of text of this program.
    package init(ownText text: [TextOverlay], for whole: PixelSize) {
        overlays = text.map { .text($0) }
        self.whole = whole
        makeRenderer = TextBackend.makeRenderer
    }

    /// What of the overlays is not drawn, as far as that is known.
    package var warnings: [MediaWarning] {
        overlays.flatMap(\.warnings)
            + renderers.sorted { $0.key < $1.key }.flatMap(\.value.warnings)
    }

    /// The picture with all overlays on it.
    package func paint(_ bitmap: Bitmap, _ timing: FrameTiming?) throws(MediaError) -> Bitmap {
        guard !overlays.isEmpty else { return bitmap }
        return try Bitmap(size: bitmap.size, isOpaque: bitmap.isOpaque) {
            (rows) throws(MediaError) in
            bitmap.withBytes { rows.copyMemory(from: $0) }
            for (number, overlay) in overlays.enumerated() {
                try draw(overlay, number, timing, over: rows, bitmap.size)
            }
        }
    }

    private func draw(
        _ overlay: Overlay, _ number: Int, _ timing: FrameTiming?,
        over rows: UnsafeMutableRawBufferPointer, _ size: PixelSize
    ) throws(MediaError) {
        switch overlay {
        case .text(let text):
            let renderer = renderer(number, TextBackend.makeRenderer)
            try text.draw(with: renderer, timing, over: rows, size)
        case .subtitles(let subtitles):
            guard let time = timing?.presentation.duration else { return }
            guard case .content(let content) = subtitles.source else {
                throw MediaError(.trackNotFound, "The subtitles of a track were not read.")
            }
            let renderer = renderer(number, makeRenderer)
            try renderer.draw(content, at: time, over: rows, of: size)
        case .file(let file):
            throw MediaError(.notFound, "The file \(file.name) of an overlay was not read.")
        case .picture(let overlay):
            guard let pixels = rows.bindMemory(to: Pixel.self).baseAddress else { return }
            let picture: Bitmap
            let (x, y): (Int, Int)
            switch overlay.layout {
            case .arranged(let arrangement):
                picture = try self.picture(overlay.picture, arrangement, number, size)
                (x, y) = arrangement.origin(of: picture.size, on: size, factor: factor(for: size))
            case .whole(let gravity, let margin, let share):
                let (frame, own) = overlay.picture(at: timing?.presentation.duration ?? .zero)
                picture = try self.picture(own, frame, share: share, number, size)
                (x, y) = OverlayPosition.gravity(gravity, margin: scaled(margin, size))
                    .origin(of: picture.size, on: size)
            }
            picture.draw(
                over: pixels, of: size, x: x, y: y,
                opacity: UInt8(min(max(overlay.opacity * 255, 0), 255).rounded()))
        }
    }

    private func renderer(
        _ number: Int, _ make: () -> any TextDrawing
    ) -> any TextDrawing {
        if let kept = renderers[number] { return kept }
        let made = make()
        renderers[number] = made
        return made
    }

    /// Pixels of the whole size, in a picture of another.
    private func scaled(_ pixels: Int, _ size: PixelSize) -> Int {
        size == whole
            ? pixels : Int((Double(pixels) * Double(size.width) / Double(whole.width)).rounded())
    }

    private func factor(for size: PixelSize) -> Double {
        size == whole ? 1 : Double(size.width) / Double(whole.width)
    }

    /// The picture as an arrangement draws it on pictures of a size, copies and all; the last one is kept.
    private func picture(
        _ picture: Bitmap, _ arrangement: PictureOverlay.Arrangement, _ number: Int,
        _ size: PixelSize
    ) throws(MediaError) -> Bitmap {
        let factor = factor(for: size)
        let wanted = arrangement.size(of: picture.size, on: size, factor: factor)
        if let kept = arranged[number], kept.size == size { return kept.picture }
        var made = try picture.scaled(to: wanted)
        if arrangement.isRepeated {
            made = try arrangement.repeated(made, over: size, factor: factor)
        }
        arranged[number] = (size, made)
        return made
    }

    /// The overlay's picture at the size that it has on a picture; the last one is kept.
    private func picture(
        _ picture: Bitmap, _ frame: Int, share: Double?, _ number: Int, _ size: PixelSize
    ) throws(MediaError) -> Bitmap {
        let source = picture.size
        let most = TargetSize(width: size.width, height: size.height, fit: .scaleDown)
        let wanted = most.scaledSize(of: own(source, share, size))
        if let kept = scaled[number], kept.frame == frame, kept.bitmap.size == wanted {
            return kept.bitmap
        }
        let made = try picture.scaled(to: wanted)
        scaled[number] = (frame, made)
        return made
    }

    /// The size that is asked for, on a picture: a share of its width, or that of an overlay itself.
    private func own(_ source: PixelSize, _ share: Double?, _ size: PixelSize) -> PixelSize {
        guard let share else {
            return TargetSize(
                width: max(1, scaled(source.width, size)),
                height: max(1, scaled(source.height, size))
            ).scaledSize(of: source)
        }
        let width = max(1, (share * Double(size.width)).rounded())
        let height = width * Double(source.height) / Double(source.width)
        return PixelSize(
            width: Int(saturating: width), height: max(1, Int(saturating: height.rounded())))
    }
}

extension TextOverlay {
    fileprivate func draw(
        with renderer: any TextDrawing, _ timing: FrameTiming?,
        over rows: UnsafeMutableRawBufferPointer, _ size: PixelSize
    ) throws(MediaError) {
        // Of letters that are wider than the picture nothing would be seen but a part of the first one.
        let height = max(10, min(Int((height * Double(size.height)).rounded()), size.width))
        var script = TextScript(text(timing), lineHeight: height)
        (script.color, script.box, script.place) = (color, box, gravity.keypadPlace)
        // A margin shrinks where both do not fit, as that of a picture does.
        let free = min(size.width, size.height) - height
        script.margin = min(max(2, height / 3), max(0, free / 2))
        try renderer.draw(script, over: rows, of: size)
    }

    /// The template with the time and number of a frame, and the name.
    func text(_ timing: FrameTiming?) -> String {
        guard hasFields else { return template }
        var text = template
        let fields = [
            (
                "{time}",
                timing.map { ClockText.exact(milliseconds: $0.presentation.microseconds / 1000) }
                    ?? ""
            ),
            (
                "{clock}",
                timing.map { ClockText.short(seconds: $0.presentation.microseconds / 1_000_000) }
                    ?? ""
            ),
            ("{frame}", timing.map { String($0.index) } ?? ""),
            // The last one: a name may have braces.
            ("{name}", name ?? "{name}"),
        ]
        for (field, value) in fields {
            text = text.split(separator: field, omittingEmptySubsequences: false)
                .joined(separator: value)
        }
        return text
    }
}

extension Gravity {
    /// The key of a numeric keypad that lies where the gravity does.
    fileprivate var keypadPlace: Int {
        switch self {
        case .southWest: 1
        case .south: 2
        case .southEast: 3
        case .west: 4
        case .center, .point, .entropy, .attention: 5
        case .east: 6
        case .northWest: 7
        case .north: 8
        case .northEast: 9
        }
    }
}
