internal import LazyEditing
internal import LazyMedia
internal import LazyOptions
internal import LazyPipeline

extension CommandFailure {
    /// What options say; their error is that of the command.
    static func converting<Value>(
        _ options: @autoclosure () throws(OptionError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(OptionError) { return try options() } catch {
            switch error {
            case .usage(let message, let hint): throw .usage(message, hint: hint)
            case .file(let file, let error): throw Self(error, drawing: file)
            }
        }
    }

    private init(_ error: MediaError, drawing file: Overlay.File) {
        // What is read of media is of no help for subtitles, nor are frames for a digest.
        guard error.code == .notFound || error.code == .unsupported && file.isSubtitles else {
            self.init(error, about: file.name)
            return
        }
        self.init(.badData, error.code.rawValue, error.message)
        input = file.name
    }
}

extension Overlay.File {
    fileprivate var isSubtitles: Bool { if case .subtitles = use { true } else { false } }
}
