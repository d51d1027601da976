internal import LazyBase
internal import LazyMedia

/// Writes the results of workers in the order of the frames.
///
/// The caller with the next one writes it and all waiting ones after it; the others wait
/// for the lock, so that a slow reader of the output slows down decoding.
final class OrderedParts<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var next = 0
        var waiting: [Int: Element] = [:]
    }
    private let state = Locked(State())
    private let write: @Sendable (Element) throws(MediaError) -> Void

    init(_ write: @escaping @Sendable (Element) throws(MediaError) -> Void) { self.write = write }

    /// Adds the item at a position, counted from 0 without gaps.
    func deliver(_ item: Element, at place: Int) throws(MediaError) {
        let result: Result<Void, MediaError> = state.withLock { state in
            state.waiting[place] = item
            do throws(MediaError) {
                while let item = state.waiting.removeValue(forKey: state.next) {
                    try write(item)
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
