package import LazyMedia

/// Media with overlays on its pictures.
struct OverlaidMedia: MappedMedia {
    let base: any OpenedMedia
    let overlays: [Overlay]

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        OverlaidReader(
            base: try base.makeReader(options), OverlayPainter(overlays, for: info.size))
    }
}

private final class OverlaidReader: MappedReader {
    let base: any FrameReader
    private let painter: OverlayPainter

    init(base: any FrameReader, _ painter: OverlayPainter) {
        self.base = base
        self.painter = painter
    }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame {
        frame.replacing(try painter.paint(frame.bitmap, frame.timing))
    }
}

extension FrameSequence {
    /// The sequence with overlays on its pictures.
    package func overlaid(_ overlays: [Overlay]) -> FrameSequence {
        overlays.isEmpty ? self : wrapped { OverlaidMedia(base: $0, overlays: overlays) }
    }
}

extension ClipEdit {
    /// The edit with a name in the fields of its texts.
    package func named(_ name: String) -> ClipEdit {
        var edit = self
        edit.overlays = overlays.map { overlay in
            guard case .text(var text) = overlay else { return overlay }
            text.template = text.template.split(
                separator: "{name}", omittingEmptySubsequences: false
            )
            .joined(separator: name)
            return .text(text)
        }
        return edit
    }
}
