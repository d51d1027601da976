internal import LazyBase

/// The blocks that readers and fetches of one resource share.
///
/// Blocks that leave memory are written to a file by the readers, which may block, without the lock.
final class RangeStore: Sendable {
    /// A request for some blocks.
    final class Fetch: Sendable {
        let blocks: Range<Int>
        let result = Locked<LoadingError?>(nil)

        init(_ blocks: Range<Int>) { self.blocks = blocks }
    }

    private struct State {
        var plan: RangePlan
        var blocks: RangeBlocks
        var fetches: [Fetch] = []
        var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
        /// The error of all further reads.
        var failure: LoadingError?
    }
    private let state: LockedCondition<State>
    private let maxBytes: Int
    private let spill: RangeSpill

    init(_ plan: RangePlan, maxBytes: Int, spill: RangeSpill) {
        self.maxBytes = maxBytes
        self.spill = spill
        let blocks = RangeBlocks(maxBytes: maxBytes, maxInFile: spill.maxBytes)
        state = LockedCondition(State(plan: plan, blocks: blocks))
    }

    // MARK: - Reading

    /// Copies bytes, and waits for them; calls `start` to begin a fetch.
    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, _ flag: CancellationFlag?,
        start: (Fetch) -> Task<Void, Never>
    ) throws(LoadingError) -> Int {
        let registration = flag?.onCancel { [self] in wake() }
        defer { if let registration { flag?.forget(registration) } }
        let range = offset..<offset + buffer.count
        var filled = 0
        var awaited: Fetch?
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            switch step(at: offset + filled, of: range, into: rest, flag, &awaited) {
            case .copied(0): return filled
            case .copied(let count):
                filled += count
                awaited = nil
                if let fetch = fetchAhead(of: offset + filled) { didStart(fetch, start(fetch)) }
            case .leaving(let blocks): write(blocks)
            case .inFile(let place): bringBack(place)
            case .fetch(let fetch):
                awaited = fetch
                didStart(fetch, start(fetch))
            case .failed(let error): throw error
            }
        }
        return filled
    }

    private enum Step {
        case copied(Int)
        case leaving([RangeBlocks.Leaving])
        case inFile(RangeBlocks.Place)
        case fetch(Fetch)
        case failed(LoadingError)
    }

    /// Copies bytes, or returns what to write, read or fetch first, or waits and tries again.
    private func step(
        at offset: Int, of range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer,
        _ flag: CancellationFlag?, _ awaited: inout Fetch?
    ) -> Step {
        state.wait { state in
            if flag?.isCancelled == true { return .failed(.cancelled) }
            if let failure = state.failure { return .failed(failure) }
            guard offset < state.plan.count else { return .copied(0) }
            let leaving = state.blocks.evict()
            if !leaving.isEmpty { return .leaving(leaving) }
            let block = offset / state.plan.blockSize
            let start = offset - block * state.plan.blockSize
            if let count = state.blocks.copy(block, from: start, into: buffer) {
                return .copied(count)
            }
            if let place = state.blocks.place(of: block) { return .inFile(place) }
            // A fetch that ended without this block has an error.
            if let error = awaited?.result.withLock({ $0 }) { return .failed(error) }
            if let fetch = state.fetches.first(where: { $0.blocks.contains(block) }) {
                awaited = fetch
                return nil
            }
            let (kept, fetches) = (state.blocks, state.fetches)
            let blocks = state.plan.fetch(for: offset..<range.upperBound) { number in
                kept.contains(number) || fetches.contains { $0.blocks.contains(number) }
            }
            let fetch = Fetch(blocks ?? block..<block + 1)
            state.fetches.append(fetch)
            return .fetch(fetch)
        }
    }

    /// Writes blocks that have left memory; readers get them from there until that is done.
    private func write(_ blocks: [RangeBlocks.Leaving]) {
        let sums = spill.write(blocks)
        state.withLock { $0.blocks.didWrite(blocks, sums: sums) }
    }

    /// Reads a block into memory; if the file has lost it, it is fetched again.
    private func bringBack(_ place: RangeBlocks.Place) {
        let bytes = spill.read(place)
        state.withLock { state in
            if let bytes {
                state.blocks.insert(bytes, at: place.block)
            } else {
                state.blocks.forget(place)
            }
        }
    }

    /// Begins to fetch the missing parts of a range; `start` is called for each.
    func fetch(_ range: Range<Int>, start: (Fetch) -> Task<Void, Never>) {
        let fetches = state.withLock { state in
            guard state.failure == nil else { return [Fetch]() }
            let (kept, fetches) = (state.blocks, state.fetches)
            // The blocks of one fetch must not evict each other before they are read.
            let pieces = state.plan.fetches(of: range, maxBytes: maxBytes / 2) { number in
                kept.contains(number) || fetches.contains { $0.blocks.contains(number) }
            }
            let started = pieces.map { Fetch($0) }
            state.fetches += started
            return started
        }
        for fetch in fetches { didStart(fetch, start(fetch)) }
    }

    /// The blocks to prefetch; one fetch at a time, because current reads have priority.
    private func fetchAhead(of offset: Int) -> Fetch? {
        state.withLock { state in
            guard state.plan.window > 0, state.failure == nil, state.fetches.isEmpty else {
                return nil
            }
            let kept = state.blocks
            guard let blocks = state.plan.fetchAhead(of: offset, isKnown: kept.contains) else {
                return nil
            }
            let fetch = Fetch(blocks)
            state.fetches.append(fetch)
            return fetch
        }
    }

    private func didStart(_ fetch: Fetch, _ task: Task<Void, Never>) {
        let isWanted = state.withLock { state in
            guard state.failure == nil else { return false }
            if state.fetches.contains(where: { $0 === fetch }) {
                state.tasks[ObjectIdentifier(fetch)] = task
            }
            return true
        }
        if !isWanted { task.cancel() }
    }

    // MARK: - Received bytes

    /// The range of some blocks.
    func bytes(of blocks: Range<Int>) -> Range<Int> {
        state.withLock { state in
            let last = state.plan.bytes(of: blocks.upperBound - 1)
            return state.plan.bytes(of: blocks.lowerBound).lowerBound..<last.upperBound
        }
    }

    /// The beginning of the first block that begins at a place or behind it.
    func startOfBlock(atOrAfter place: Int) -> Int {
        let size = state.withLock { $0.plan.blockSize }
        return (place / size + (place % size == 0 ? 0 : 1)) * size
    }

    /// Whether all blocks have room, in memory or in the file.
    var holdsAll: Bool {
        let count = state.withLock { $0.plan.count }
        return count <= maxBytes || count - maxBytes <= spill.maxBytes
    }

    /// Adds the whole blocks at the beginning of bytes from an offset, and returns their size.
    func take(_ bytes: [UInt8], at offset: Int) -> Int {
        let taken = state.withLock { state in
            var taken = 0
            while taken < bytes.count {
                let place = state.plan.bytes(of: (offset + taken) / state.plan.blockSize)
                guard place.lowerBound == offset + taken, taken + place.count <= bytes.count
                else { break }
                let block = place.lowerBound / state.plan.blockSize
                state.blocks.insert(Array(bytes[taken..<taken + place.count]), at: block)
                taken += place.count
            }
            return taken
        }
        if taken > 0 { wake() }
        return taken
    }

    /// Records the end of a fetch.
    func didEnd(_ fetch: Fetch, _ error: LoadingError?, isFinal: Bool = false) {
        // Without an error, blocks may still be missing that have been evicted since.
        fetch.result.withLock { $0 = error }
        state.withLock { state in
            state.fetches.removeAll { $0 === fetch }
            state.tasks[ObjectIdentifier(fetch)] = nil
            if isFinal, state.failure == nil { state.failure = error }
        }
        wake()
    }

    /// Ends all current and future reads and fetches.
    func end(_ error: LoadingError) {
        let tasks = state.withLock { state in
            if state.failure == nil { state.failure = error }
            defer { state.tasks = [:] }
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        wake()
    }

    private func wake() {
        // Under the lock, so that a reader between its check and its wait is not missed.
        state.withLock { _ in }
        state.broadcast()
    }
}
