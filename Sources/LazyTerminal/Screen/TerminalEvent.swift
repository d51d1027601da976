/// What happened while a player waited.
public enum TerminalEvent: Hashable, Sendable {
    /// The time passed.
    case none
    /// A key asks to end.
    case quit
    /// A key asks to pause or to continue.
    case pause
    /// A key asks for the next frame (1) or the one before (-1).
    case step(Int)
    /// A key asks to go forward or back.
    case seek(Duration)
    /// A key asks for a place in the media, in percent of its length.
    case percent(Int)
    /// A key asks for another speed: faster (1), slower (-1) or normal (0).
    case speed(Int)
    /// A key asks for the next input (1) or the one before (-1).
    case input(Int)
    /// A key asks for the next chapter (1) or the one before (-1), of media without chapters for another input.
    case chapter(Int)
    /// A key asks to play forever, or no more after this play.
    case loop
    /// A key asks to save the frame.
    case screenshot
    /// A key asks to show or hide the line with the position.
    case status
    /// A key asks for the list of keys.
    case help
    /// A key without a meaning.
    case otherKey
    /// The window changed its size.
    case resized
    /// The process continues after it was stopped.
    case resumed
    /// A signal asks to end.
    case interrupted
}
