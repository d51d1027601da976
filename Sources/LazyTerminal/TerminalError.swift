public import LazyBase
public import LazyMedia

/// Why a terminal does not go on playing.
public enum TerminalError: Error, Sendable {
    /// The media cannot be decoded, or the work was cancelled.
    case media(MediaError)
    /// The output cannot be written to.
    case output(SystemError)
    /// The download that was to deliver the media failed.
    case download(any Error)
}
