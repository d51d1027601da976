internal import LazyEditing
internal import LazyMedia

/// A written frame.
struct FrameRecord: Sendable {
    let frame: SelectedFrame.Place
    let size: PixelSize
    var file: String?
    var hash: String?
}

extension SelectedFrame {
    /// A frame without its pixels.
    struct Place: Sendable {
        let timing: FrameTiming
        let sourceIndex: Int
        let position: Int
    }
    var place: Place { Place(timing: timing, sourceIndex: sourceIndex, position: position) }
}
