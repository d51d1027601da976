internal import LazyBase

/// Passes on a range of a response: stored bytes, and others from the network, which are stored.
final class FillingBody: Sendable {
    /// Missing bytes that are being loaded.
    struct Run: Sendable {
        let range: Range<Int>
        let body: LoadBody
    }
    /// Loads missing bytes of the same version.
    typealias Loading = @Sendable (Range<Int>) async throws(LoadingError) -> LoadBody

    private struct State {
        var position: Int
        var run: Run?
        // Where storing failed, and the bytes after that for a consumer that has used `stored`.
        var keptEnd: Int?
        var tail: [UInt8]?
        var wasStoredAsked = false
    }
    private let state: Locked<State>
    private let entry: any EntryFilling
    private let range: Range<Int>
    private let load: Loading

    init(
        _ entry: any EntryFilling, _ range: Range<Int>, first: Run?, load: @escaping Loading
    ) {
        self.entry = entry
        self.range = range
        self.load = load
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
        let new = Run(range: missing, body: try await load(missing))
        // Bytes are pulled in order; a later run that was under way is requested again.
        state.withLock { $0.run = new }
        return try await piece(of: new, at: position)
    }

    /// The valid stored bytes at the beginning of a range.
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
            // A block was damaged and is missing now; each attempt reads fewer bytes.
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
                .truncated, "The response ended at \(position) of \(run.range.upperBound) bytes.")
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
        // A full disk: the load continues without the store.
        state.withLock { state in
            state.keptEnd = position
            state.tail = state.wasStoredAsked ? bytes : nil
        }
    }

    private func end() async {
        guard state.withLock({ $0.keptEnd == nil }) else { return entry.close() }
        let (entry, isAll) = (entry, isWhole)
        await BlockingPool.disk.run {
            // The range may have been the last missing one.
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
