internal import LazyMedia

/// Media that is still being downloaded: what of it can be shown, and what it becomes.
///
/// Told by the download, asked by the player; `didChange` wakes the player.
final class ArrivingMedia: Sendable {
    private struct State {
        var latest: FrameSequence?
        var outcome: Result<OpenedInput, CommandFailure>?
    }
    private let state = Locked(State())
    private let didChange: @Sendable () -> Void

    init(didChange: @escaping @Sendable () -> Void) { self.didChange = didChange }

    /// The whole, or why there will be none; nil while bytes arrive.
    var outcome: Result<OpenedInput, CommandFailure>? { state.withLock { $0.outcome } }

    /// The first part of it, where there is more than was taken before.
    func takeLatest() -> FrameSequence? {
        state.withLock { state in
            defer { state.latest = nil }
            return state.latest
        }
    }

    /// More of it has arrived.
    func didArrive(_ sequence: FrameSequence) {
        state.withLock { $0.latest = sequence }
        didChange()
    }

    /// All of it has arrived, or nothing more will.
    func didEnd(_ outcome: Result<OpenedInput, CommandFailure>) {
        state.withLock { $0.outcome = outcome }
        didChange()
    }
}
