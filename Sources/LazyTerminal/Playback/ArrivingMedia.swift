internal import LazyBase
public import LazyMedia

/// Media that is still loading: the part that can be shown, and later all of it.
///
/// The download reports to it, and the player reads it; `didChange` wakes the player.
public final class ArrivingMedia: Sendable {
    private struct State {
        var latest: FrameSequence?
        var outcome: Result<FrameSequence, any Error>?
    }
    private let state = Locked(State())
    private let didChange: @Sendable () -> Void

    /// Makes media of which nothing has arrived.
    public init(didChange: @escaping @Sendable () -> Void) { self.didChange = didChange }

    /// The complete media, or the error; nil while it loads.
    public var outcome: Result<FrameSequence, any Error>? { state.withLock { $0.outcome } }

    /// Returns the part that arrived since the last call, or nil.
    public func takeLatest() -> FrameSequence? {
        state.withLock { state in
            defer { state.latest = nil }
            return state.latest
        }
    }

    /// More of it has arrived.
    public func didArrive(_ sequence: FrameSequence) {
        state.withLock { $0.latest = sequence }
        didChange()
    }

    /// The download has ended.
    public func didEnd(_ outcome: Result<FrameSequence, any Error>) {
        state.withLock { $0.outcome = outcome }
        didChange()
    }
}
