public import LazyEditing
public import LazyMedia
internal import LazyPipeline

/// Why no edit can be made of options.
public enum OptionError: Error, CustomStringConvertible {
    /// Options contradict each other; the hint says what can be done.
    case usage(String, hint: String? = nil)
    /// A file that is drawn over pictures cannot be read.
    case file(Overlay.File, MediaError)

    /// The exit code of `sysexits.h`, as those of `lazyimg`: 64 for options, 65 or 66 for most files.
    public var exitCode: Int32 {
        switch self {
        case .usage: 64
        case .file(_, let error): Int32(ErrorStatus(error).exitCode)
        }
    }

    /// One sentence, and the hint.
    public var description: String {
        switch self {
        case .usage(let message, let hint): hint.map { "\(message) \($0)" } ?? message
        case .file(_, let error): error.message
        }
    }
}
