internal import LazyBase
internal import LazyLoading

/// A body that is being received: in memory while small, else in its store, else in a file.
final class GrowingBody: Sendable {
    /// The maximum number of bytes in memory.
    static let maxInMemory = 8 << 20

    private enum Place {
        case memory([UInt8])
        case store(LoadBody)
        case file(TemporaryFile)
    }
    private struct State {
        var place = Place.memory([])
        var count = 0
        let total: Int
        var told = 0
    }
    private let state: Locked<State>
    /// The head of the response.
    let head: ResponseHead
    /// The request for it, where parts of the same resource may be requested beside it.
    let request: LoadRequest?

    init(_ head: ResponseHead, of request: LoadRequest?) {
        self.head = head
        self.request = request
        state = Locked(State(total: head.expectedCount ?? 0))
    }

    /// The bytes received, and the total or 0.
    var progress: ImageTask.Progress {
        state.withLock { .init(completed: Int64($0.count), total: Int64($0.total)) }
    }

    /// The progress if it has changed by a hundredth, or by 64 KiB if the total is unknown.
    func takeProgress(isEnd: Bool = false) -> ImageTask.Progress? {
        state.withLock { state in
            let step = state.total > 0 ? state.total / 100 : 1 << 16
            guard state.count > state.told,
                isEnd || state.told == 0 || state.count - state.told >= max(1, step)
            else { return nil }
            state.told = state.count
            return .init(completed: Int64(state.count), total: Int64(state.total))
        }
    }

    /// Appends a chunk of a body.
    func append(_ piece: [UInt8], of body: LoadBody) async throws(SystemError) {
        guard let (file, kept) = place(piece, body) else { return }
        let new = try await BlockingPool.disk.run { () throws(SystemError) in
            let target = if let file { file } else { try TemporaryFile() }
            if !kept.isEmpty { try target.append(kept) }
            try target.append(piece)
            return target
        }
        state.withLock { state in
            state.place = .file(new)
            state.count += piece.count
        }
    }

    /// The bytes so far; cheap, but the next chunk then copies what is in memory.
    var blob: Blob {
        let (place, count) = state.withLock { ($0.place, $0.count) }
        switch place {
        case .memory(let bytes): return Blob(bytes)
        case .store(let body): return body.stored ?? Blob([])
        case .file(let file): return count > 0 ? file.blob : Blob([])
        }
    }

    /// Adds a chunk in memory, or returns the file for it, with the bytes to write before it.
    private func place(_ piece: [UInt8], _ body: LoadBody) -> (file: TemporaryFile?, kept: [UInt8])?
    {
        let (isDone, file, kept) = state.withLock { state -> (Bool, TemporaryFile?, [UInt8]) in
            switch state.place {
            case .store:
                state.count += piece.count
                return (true, nil, [])
            case .file(let file): return (false, file, [])
            case .memory(var bytes):
                guard state.count + piece.count <= Self.maxInMemory else {
                    return (false, nil, bytes)
                }
                state.place = .memory([])
                if bytes.isEmpty { bytes = piece } else { bytes += piece }
                state.place = .memory(bytes)
                state.count += piece.count
                return (true, nil, [])
            }
        }
        if isDone { return nil }
        if let file { return (file, []) }
        if body.stored != nil {
            state.withLock { state in
                state.place = .store(body)
                state.count += piece.count
            }
            return nil
        }
        return (nil, kept)
    }
}
