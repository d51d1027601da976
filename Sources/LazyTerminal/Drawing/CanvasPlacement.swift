/// The position of frames on a terminal.
public enum CanvasPlacement: Hashable, Sendable {
    /// In the upper left corner of the screen.
    case corner
    /// In the center of the screen.
    case center
    /// At the cursor, like text.
    case inline
}
