package import LazyMedia

/// Media with overlays on its pictures.
struct OverlaidMedia: MappedMedia {
    let base: any OpenedMedia
    let overlays: [Overlay]

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        OverlaidReader(
            base: try base.makeReader(options),
            OverlayPainter(overlays, for: info.size, of: base, options))
    }
}

private final class OverlaidReader: MappedReader {
    let base: any FrameReader
    private let painter: OverlayPainter

    init(base: any FrameReader, _ painter: OverlayPainter) {
        self.base = base
        self.painter = painter
    }

    var warnings: [MediaWarning] { base.warnings + painter.warnings }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame {
        frame.replacing(try painter.paint(frame.bitmap, frame.timing))
    }
}

extension FrameSequence {
    /// The overlays with the subtitles of tracks, which are those of this sequence.
    ///
    /// Throws as `subtitleTrack` does.
    package func reading(_ overlays: [Overlay]) async throws(MediaError) -> [Overlay] {
        var read: [Overlay] = []
        for overlay in overlays {
            if case .subtitles(let subtitles) = overlay, case .track(let choice) = subtitles.source
            {
                read.append(.subtitles(SubtitleOverlay(try await subtitleTrack(choice))))
            } else {
                read.append(overlay)
            }
        }
        return read
    }
}

extension Overlay {
    /// What was found wrong when it was read.
    package var warnings: [MediaWarning] {
        switch self {
        case .subtitles(let subtitles): subtitles.warnings
        case .picture(let picture): picture.warnings
        case .text, .file: []
        }
    }

    /// Whether it is on a track of the edited sequence.
    package var isOfTrack: Bool {
        guard case .subtitles(let subtitles) = self, case .track = subtitles.source else {
            return false
        }
        return true
    }
}
