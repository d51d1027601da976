import Glibc
public import LazyBytes
public import LazyLoading
public import LazyMedia

/// The bytes of an answer that arrives from its beginning on; what is read waits until it is there.
///
/// For servers without ranges. Unchecked: `state` is touched only between lock and unlock of `mutex`.
public final class ArrivingBytes: ByteSource, @unchecked Sendable {
    private struct State {
        /// What holds the bytes so far: the loader's store, or a file of our own.
        var blob = Blob([])
        var spill: TemporaryFile?
        var received = 0
        var end: Result<Void, MediaError>?
        var pump: Task<Void, Never>?
    }
    /// The number of bytes that were announced.
    public let count: Int
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state = State()
    private let whole = Locked<MemoryBytes?>(nil)

    /// Begins to take an answer in; nil where its size is not known.
    ///
    /// `didArrive` hears how many bytes are there. Dropping this ends the load.
    public static func begin(
        _ response: LoadResponse, didArrive: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> ArrivingBytes? {
        guard let count = response.head.expectedCount, count > 0 else { return nil }
        let bytes = ArrivingBytes(count)
        let body = response.body
        // Owned by the bytes, which cancel it when nobody has them any more.
        let pump = Task { [weak bytes] in
            do throws(LoadingError) {
                while let piece = try await body.next() {
                    guard let bytes, let received = await bytes.take(piece, of: body) else {
                        return
                    }
                    didArrive(received)
                }
                bytes?.didEnd(.success(()))
            } catch {
                bytes?.didEnd(.failure(error.asMediaError))
            }
        }
        bytes.locked { $0.pump = pump }
        return bytes
    }

    private init(_ count: Int) {
        self.count = count
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        state.pump?.cancel()
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Each byte costs time.
    public var isRemote: Bool { true }

    /// The bytes that have arrived.
    public var received: Int { locked { $0.received } }

    /// Copies bytes from `offset` on once they have arrived; 0 at the end.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer, flag: nil) }

    /// The same, ending with `.cancelled` as soon as a flag is set.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer, flag: cancellation) }

    /// Ends the load, and with `.cancelled` all reads of what has not arrived.
    public func cancelReads() {
        locked { state in
            state.pump?.cancel()
            if state.end == nil { state.end = .failure(.cancelled) }
        }
        wake()
    }

    /// All bytes, once they have arrived.
    public func contiguous() throws(MediaError) -> MemoryBytes {
        if let kept = whole.withLock({ $0 }) { return kept }
        let bytes = try MemoryBytes(capacity: count) { (buffer) throws(MediaError) -> Int in
            try read(at: 0, into: buffer)
        }
        whole.withLock { $0 = bytes }
        return bytes
    }

    private func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, flag: CancellationFlag?
    ) throws(MediaError) -> Int {
        guard offset >= 0, offset < count, !buffer.isEmpty else { return 0 }
        let length = min(buffer.count, count - offset)
        let registration = flag?.onCancel { [weak self] in self?.wake() }
        defer { if let registration { flag?.forget(registration) } }
        let blob = try wait(for: offset + length, flag).get()
        do throws(SystemError) {
            return try blob.read(at: offset, into: .init(rebasing: buffer.prefix(length)))
        } catch {
            throw error.mediaError("read", "the loaded bytes")
        }
    }

    private func wait(for end: Int, _ flag: CancellationFlag?) -> Result<Blob, MediaError> {
        locked { state in
            while state.received < end {
                if flag?.isCancelled == true { return .failure(.cancelled) }
                switch state.end {
                case .failure(let error): return .failure(error)
                case .success: return .success(state.blob)
                case nil: pthread_cond_wait(condition, mutex)
                }
            }
            return .success(state.blob)
        }
    }

    // MARK: - What arrives

    /// Keeps a piece, unless the store does; nil where it cannot be kept.
    private func take(_ piece: [UInt8], of body: LoadBody) async -> Int? {
        let (received, spill) = locked { ($0.received + piece.count, $0.spill) }
        if spill == nil, let stored = body.stored, stored.count >= received {
            didTake(received, stored, nil)
            return received
        }
        do throws(SystemError) {
            let file = try await BlockingPool.disk.run { () throws(SystemError) in
                let file = if let spill { spill } else { try TemporaryFile() }
                try file.append(piece)
                return file
            }
            didTake(received, file.blob, file)
            return received
        } catch {
            didEnd(.failure(error.mediaError("keep", "the loaded bytes")))
            return nil
        }
    }

    private func didTake(_ received: Int, _ blob: Blob, _ spill: TemporaryFile?) {
        locked { state in
            state.blob = blob
            state.spill = spill
            state.received = received
        }
        wake()
    }

    private func didEnd(_ end: Result<Void, MediaError>) {
        locked { state in
            if state.end == nil { state.end = end }
        }
        wake()
    }

    private func locked<Value>(_ body: (inout State) -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    private func wake() {
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }
}

extension LoadingError {
    /// What a decoder is told where bytes cannot be loaded.
    var asMediaError: MediaError {
        code == .cancelled ? .cancelled : MediaError(.environment, message, underlying: self)
    }
}
