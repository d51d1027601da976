package import CommandSupport
internal import LazyBytes
package import LazyMedia

/// Media that is still being downloaded: what of it can be shown, and what it becomes.
///
/// Told by the download, asked by the player; `didChange` wakes the player.
package final class ArrivingMedia: Sendable {
    private struct State {
        package var latest: FrameSequence?
        package var outcome: Result<OpenedInput, CommandFailure>?
    }
    private let state = Locked(State())
    private let didChange: @Sendable () -> Void

    package init(didChange: @escaping @Sendable () -> Void) { self.didChange = didChange }

    /// The whole, or why there will be none; nil while bytes arrive.
    package var outcome: Result<OpenedInput, CommandFailure>? { state.withLock { $0.outcome } }

    /// The first part of it, where there is more than was taken before.
    package func takeLatest() -> FrameSequence? {
        state.withLock { state in
            defer { state.latest = nil }
            return state.latest
        }
    }

    /// More of it has arrived.
    package func didArrive(_ sequence: FrameSequence) {
        state.withLock { $0.latest = sequence }
        didChange()
    }

    /// All of it has arrived, or nothing more will.
    package func didEnd(_ outcome: Result<OpenedInput, CommandFailure>) {
        state.withLock { $0.outcome = outcome }
        didChange()
    }
}
