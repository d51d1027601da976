package import CommandSupport
internal import LazyBytes
internal import LazyMedia

/// Puts what workers finish in any order back into the order of the frames.
///
/// The caller that completes the next one writes it and all that wait behind it; the others wait
/// for the lock, so that a slow reader of the output holds up the decoding.
package final class OrderedOutput<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var next = 0
        var waiting: [Int: Element] = [:]
    }
    private let state = Locked(State())
    private let write: @Sendable (Element, _ isFirst: Bool) throws(CommandFailure) -> Void

    package init(
        _ write: @escaping @Sendable (Element, _ isFirst: Bool) throws(CommandFailure) -> Void
    ) {
        self.write = write
    }

    /// Takes the item of a place, counted from 0 without gaps.
    package func deliver(_ item: Element, at place: Int) throws(CommandFailure) {
        let result: Result<Void, CommandFailure> = state.withLock { state in
            state.waiting[place] = item
            do throws(CommandFailure) {
                while let item = state.waiting.removeValue(forKey: state.next) {
                    try write(item, state.next == 0)
                    state.next += 1
                }
            } catch {
                return .failure(error)
            }
            return .success(())
        }
        try result.get()
    }
}
