/// What happened while a player waited.
public enum TerminalEvent: Equatable, Sendable {
    /// The time passed.
    case none
    /// A key asks to end.
    case quit
    /// A key asks to pause or to continue.
    case pause
    /// A key asks for the next frame.
    case step
    /// A key asks to go forward or back.
    case seek(Duration)
    /// The window changed its size.
    case resized
    /// The process continues after it was stopped.
    case resumed
    /// A signal asks to end.
    case interrupted
}
