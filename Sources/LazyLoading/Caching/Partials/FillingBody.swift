internal import LazyBytes
internal import LazyCache

/// Hands on a range of an answer: bytes that are stored, and others from the network, which are kept.
final class FillingBody: Sendable {
    /// Missing bytes that are on their way.
    struct Run: Sendable {
        let range: Range<Int>
        let body: LoadBody
    }
    /// Loads missing bytes of the same version.
    typealias Question = @Sendable (Range<Int>) async throws(LoadingError) -> LoadBody

    private struct State {
        var position: Int
        var run: Run?
        // Where keeping ended, and what came after it for a consumer that asked for `stored`.
        var keptEnd: Int?
        var tail: [UInt8]?
        var wasStoredAsked = false
    }
    private let state: Locked<State>
    private let entry: any EntryFilling
    private let range: Range<Int>
    private let ask: Question

    init(
        _ entry: any EntryFilling, _ range: Range<Int>, first: Run?, ask: @escaping Question
    ) {
        self.entry = entry
        self.range = range
        self.ask = ask
        state = Locked(State(position: range.lowerBound, run: first))
    }

    /// The body for the consumer.
    var body: LoadBody {
        LoadBody(stored: { self.stored }, end: { self.entry.close() }) {
            () async throws(LoadingError) in try await self.next()
        }
    }

    private var isWhole: Bool { range == 0..<entry.count }

    private func next() async throws(LoadingError) -> [UInt8]? {
        let (position, run) = state.withLock { ($0.position, $0.run) }
        guard position < range.upperBound else {
            await end()
            return nil
        }
        if let run, run.range.contains(position) { return try await piece(of: run, at: position) }
        let most = min(range.upperBound, run?.range.lowerBound ?? .max, position + 1 << 18)
        let entry = entry
        let stored = await BlockingPool.disk.run {
            Self.stored(of: entry, position..<most)
        }
        if !stored.isEmpty {
            state.withLock { $0.position += stored.count }
            return stored
        }
        let end = await BlockingPool.disk.run { entry.missingEnd(from: position) }
        let missing = position..<min(end, range.upperBound, run?.range.lowerBound ?? .max)
        let new = Run(range: missing, body: try await ask(missing))
        // What comes first is pulled first; what was on its way for later is asked for again then.
        state.withLock { $0.run = new }
        return try await piece(of: new, at: position)
    }

    /// The bytes at the beginning of a range that are there and right.
    private static func stored(of entry: any EntryFilling, _ range: Range<Int>) -> [UInt8] {
        var end = range.upperBound
        while true {
            let present = min(end, entry.presentEnd(from: range.lowerBound))
            guard present > range.lowerBound else { return [] }
            let count = present - range.lowerBound
            if let bytes = try? entry.body.bytes(at: range.lowerBound, count: count),
                bytes.count == count
            {
                return bytes
            }
            // A block was found wrong, and is missing now; fewer are asked for each time.
            end = range.lowerBound + count / 2
        }
    }

    private func piece(of run: Run, at position: Int) async throws(LoadingError) -> [UInt8]? {
        let piece: [UInt8]?
        do throws(LoadingError) { piece = try await run.body.next() } catch {
            if !error.leavesPartialUsable { entry.discard() }
            throw error
        }
        guard let piece else {
            throw LoadingError(
                .truncated, "The answer ended at \(position) of \(run.range.upperBound) bytes.")
        }
        let bytes = Array(piece.prefix(run.range.upperBound - position))
        await keep(bytes, at: position)
        state.withLock { state in
            state.position += bytes.count
            if state.position == run.range.upperBound { state.run = nil }
        }
        return bytes
    }

    private func keep(_ bytes: [UInt8], at position: Int) async {
        let isKept = state.withLock { state in
            if state.keptEnd != nil { state.tail?.append(contentsOf: bytes) }
            return state.keptEnd == nil
        }
        guard isKept else { return }
        let entry = entry
        if await BlockingPool.disk.run({ (try? entry.write(bytes, at: position)) != nil }) {
            return
        }
        // A full disk: the load goes on without the store.
        state.withLock { state in
            state.keptEnd = position
            state.tail = state.wasStoredAsked ? bytes : nil
        }
    }

    private func end() async {
        guard state.withLock({ $0.keptEnd == nil }) else { return entry.close() }
        let (entry, isAll) = (entry, isWhole)
        await BlockingPool.disk.run {
            // A range may have been the last that was missing.
            if isAll || entry.presentEnd(from: 0) == entry.count { try? entry.commit() }
            entry.close()
        }
    }

    private var stored: Blob? {
        guard range.lowerBound == 0 else { return nil }
        let (keptEnd, tail, position) = state.withLock { state in
            state.wasStoredAsked = true
            return (state.keptEnd, state.tail, state.position)
        }
        guard let keptEnd else { return entry.body.slice(0..<position) }
        guard let tail, keptEnd + tail.count == position else { return nil }
        return Blob(joining: [entry.body.slice(0..<keptEnd), Blob(tail)])
    }
}
