package import LazyBase

/// The segments of a stream, loaded when they are read.
///
/// What was read last is kept in memory. Dropping this ends its loads.
package final class StreamSegments: Sendable {
    /// What is loaded: a segment or a map, by its number.
    private enum Item: Hashable {
        case segment(Int)
        case map(Int)
    }

    private struct State {
        var results: [Item: Result<[UInt8], StreamError>] = [:]
        /// The items of the results, the one that was used last at the end.
        var order: [Item] = []
        var tasks: [Item: Task<Void, Never>] = [:]

        mutating func take(_ item: Item) -> Result<[UInt8], StreamError>? {
            let result = results[item]
            order.removeAll { $0 == item }
            if case .success? = result {
                order.append(item)
            } else {
                // The next one that reads it tries again.
                results[item] = nil
            }
            return result
        }
    }

    /// The segments by number.
    package let playlist: StreamPlaylist
    private let loader: StreamLoader
    private let state = LockedCondition(State())

    /// The most bytes that are kept beside those that were read last, and of how many segments and maps.
    private static let keptBytes = 32 << 20, keptItems = 64

    /// Makes the segments of a playlist.
    package init(_ playlist: StreamPlaylist, _ loader: StreamLoader) {
        self.playlist = playlist
        self.loader = loader
    }

    deinit { for task in state.withLock({ $0.tasks.values }) { task.cancel() } }

    /// The number of bytes received from the network.
    package var bytesRead: Int { loader.bytesRead }

    /// What reading the playlists has cost.
    package var cost: StreamCost { loader.cost }

    /// The bytes that a decoder reads before a segment; none where it needs none.
    ///
    /// Blocks until they have arrived.
    package func map(
        of place: Int, _ flag: CancellationFlag
    ) throws(StreamError) -> [UInt8] {
        guard let map = playlist.map(of: place) else { return [] }
        return try bytes(.map(map), flag)
    }

    /// The bytes of a segment; blocks until they have arrived.
    package func segment(
        _ place: Int, _ flag: CancellationFlag
    ) throws(StreamError) -> [UInt8] { try bytes(.segment(place), flag) }

    /// Whether a segment is in a file that does not exist; blocks.
    package func isAbsentFile(_ place: Int) -> Bool {
        guard playlist.isLocal(at: place) else { return false }
        do throws(StreamError) {
            _ = try playlist.base.open(try playlist.resource(of: place).resource.url)
        } catch {
            if case .loading(let reason) = error { return reason.isMissing }
        }
        return false
    }

    /// Begins to load a segment that is going to be read.
    package func willRead(_ place: Int) {
        if (0..<playlist.count).contains(place) { start(.segment(place)) }
    }

    private func bytes(
        _ item: Item, _ flag: CancellationFlag
    ) throws(StreamError) -> [UInt8] {
        let registration = flag.onCancel { [weak self] in self?.wake() }
        defer { flag.forget(registration) }
        while true {
            start(item)
            let found = state.wait { state -> Result<[UInt8], StreamError>?? in
                if flag.isCancelled { return .failure(.loading(.cancelled)) }
                // Without a task it has left memory before it was read.
                if state.results[item] == nil { return state.tasks[item] == nil ? .some(nil) : nil }
                return state.take(item)
            }
            if let found { return try found.get() }
        }
    }

    private func start(_ item: Item) {
        state.withLock { state in
            guard state.results[item] == nil, state.tasks[item] == nil else { return }
            let (playlist, loader) = (playlist, loader)
            // Owned by the segments, which cancel it when they are released.
            state.tasks[item] = Task { [weak self] in
                let result: Result<[UInt8], StreamError>
                do throws(StreamError) {
                    let (resource, key) = try Self.resource(item, of: playlist)
                    result = .success(try await loader.bytes(resource, key, from: playlist.base))
                } catch {
                    result = .failure(error)
                }
                self?.didLoad(item, result)
            }
        }
    }

    private static func resource(
        _ item: Item, of playlist: StreamPlaylist
    ) throws(StreamError) -> (StreamResource, StreamKey?) {
        switch item {
        case .segment(let place): return try playlist.resource(of: place)
        case .map(let number):
            let map = try playlist.map(number)
            return (map.resource, map.key)
        }
    }

    private func didLoad(_ item: Item, _ result: Result<[UInt8], StreamError>) {
        state.withLock { state in
            state.tasks[item] = nil
            state.results[item] = result
            state.order.append(item)
            var sum = 0
            let kept = state.order.reversed().prefix { item in
                sum += (try? state.results[item]?.get())?.count ?? 0
                return sum <= Self.keptBytes
            }
            let count = max(2, min(Self.keptItems, kept.count))
            for old in state.order.dropLast(count) { state.results[old] = nil }
            state.order = Array(state.order.suffix(count))
        }
        state.broadcast()
    }

    private func wake() {
        // Under the lock, so that a reader between its check and its wait is not missed.
        state.withLock { _ in }
        state.broadcast()
    }
}
