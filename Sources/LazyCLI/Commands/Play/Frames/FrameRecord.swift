package import LazyEditing
package import LazyMedia

/// A written frame.
package struct FrameRecord: Sendable {
    package let frame: SelectedFrame.Place
    package let size: PixelSize
    package var file: String?
    package var hash: String?
}

extension SelectedFrame {
    /// A frame without its pixels.
    package struct Place: Sendable {
        package let timing: FrameTiming
        package let sourceIndex: Int
        package let position: Int
    }
    package var place: Place { Place(timing: timing, sourceIndex: sourceIndex, position: position) }
}
