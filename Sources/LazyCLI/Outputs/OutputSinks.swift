internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

/// Writes the one part of a rendition to an output, which appears when it is kept.
///
/// It is opened when there are bytes for it, so that an error of the input is reported before one of the output.
final class OutputSinks: Rendition.Sinks {
    private struct State {
        var file: OutputFile?
        var failure: CommandFailure?
    }

    private let target: OutputTarget
    private let state = Locked(State())

    init(_ target: OutputTarget) { self.target = target }

    func open(
        _ part: Rendition.Part, as type: MediaType
    ) throws(MediaError) -> any Rendition.Sink {
        do throws(CommandFailure) {
            let file = try OutputFile(target)
            state.withLock { $0.file = file }
            return file
        } catch {
            state.withLock { $0.failure = error }
            throw MediaError(.environment, error.message, underlying: error)
        }
    }

    /// Whether there were bytes for it, so that nothing was wrong with the input.
    var isOpened: Bool { state.withLock { $0.file != nil || $0.failure != nil } }

    /// What was wrong with the output; nil where the work has failed for another reason.
    var failure: CommandFailure? { state.withLock { $0.failure ?? $0.file?.failure } }

    /// Makes the output appear; throws for an existing file that the policy keeps.
    func keep(_ policy: OverwritePolicy) throws(CommandFailure) {
        try state.withLock { $0.file }?.keep(policy)
    }
}

extension OutputFile: Rendition.Sink {
    /// Appends bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) { try write(Array(bytes)) }

    /// It appears when it is kept.
    func finish() {}
}
