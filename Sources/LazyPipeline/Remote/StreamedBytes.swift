package import LazyBase
package import LazyLoading
package import LazyMedia

/// The bytes of a response that is being received; reads block until their bytes have arrived.
///
/// For servers without ranges, and for streams of which neither the length nor the end is known.
package final class StreamedBytes: ByteSource {
    private struct State: Sendable {
        var received = 0
        var end: Result<Void, MediaError>?
        var arrived: Int?
        var pump: Task<Void, Never>?
    }
    /// The declared number of bytes, or a bound of it.
    package let count: Int
    /// Whether `count` is only a bound.
    private let isUnending: Bool
    private let body: GrowingBody
    private let state = LockedCondition(State())
    private let whole = WholeBytes()

    /// Starts to receive a response; nil if its size is unknown.
    ///
    /// Calls `didArrive` with the number of bytes so far. Releasing this cancels the load.
    package static func begin(
        _ response: LoadResponse, didArrive: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> StreamedBytes? {
        guard let count = response.head.expectedCount, count > 0 else { return nil }
        let bytes = StreamedBytes(response.head, count, isUnending: false)
        bytes.receive(response.body, nil, didArrive)
        return bytes
    }

    /// Starts to receive a body of any length, within a limit of bytes, on a thread of a pool.
    package static func begin(
        unending response: LoadResponse, limits: DecodingLimits, on pool: BlockingPool? = nil,
        didArrive: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> StreamedBytes {
        let response = response.joiningPictures
        let most = limits.inputBytes ?? 1 << 50
        let bytes = StreamedBytes(response.head, most, isUnending: true)
        bytes.receive(response.body, pool, didArrive) { (count) throws(MediaError) in
            try limits.check(inputBytes: count)
        }
        return bytes
    }

    private init(_ head: ResponseHead, _ count: Int, isUnending: Bool) {
        self.count = count
        self.isUnending = isUnending
        body = GrowingBody(head, of: nil)
    }

    private func receive(
        _ body: LoadBody, _ pool: BlockingPool?, _ didArrive: @escaping @Sendable (Int) -> Void,
        check: @escaping @Sendable (Int) throws(MediaError) -> Void = { _ in }
    ) {
        // Owned by the bytes, which cancel it when they are released.
        let pump = Task(executorPreference: pool) { [weak self] in
            do {
                while let piece = try await body.next() {
                    guard let received = try await self?.take(piece, of: body) else { return }
                    try check(received)
                    didArrive(received)
                }
                self?.didEnd(.success(()))
            } catch let error as LoadingError {
                self?.didEnd(.failure(error.asMediaError))
            } catch {
                self?.didEnd(.failure(error as? MediaError ?? .cancelled))
            }
        }
        state.withLock { $0.pump = pump }
    }

    deinit { state.withLock { $0.pump?.cancel() } }

    /// Always true: reading takes network time.
    package var isRemote: Bool { true }

    /// Whether the end is unknown, and reads wait for what has not arrived.
    package var isPartial: Bool { isUnending }

    /// The number of bytes that were there when it was opened, where the end is unknown.
    package var arrived: Int? { isUnending ? state.withLock { $0.arrived ?? $0.received } : nil }

    /// The number of bytes received so far.
    package var received: Int { state.withLock { $0.received } }

    /// The bytes received so far.
    package var present: Blob { body.blob }

    /// Copies bytes from `offset` on, once they have arrived; returns 0 at the end.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer, flag: nil) }

    /// Copies bytes; throws `.cancelled` as soon as a flag is set.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer, flag: cancellation) }

    /// Cancels the load; reads of bytes that have not arrived throw `.cancelled`.
    package func cancelReads() {
        update { state in
            state.pump?.cancel()
            if state.end == nil { state.end = .failure(.cancelled) }
        }
    }

    /// All bytes, once they have arrived.
    package func contiguous() throws(MediaError) -> MemoryBytes { try whole.bytes(of: self) }

    private func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, flag: CancellationFlag?
    ) throws(MediaError) -> Int {
        guard offset >= 0, offset < count, !buffer.isEmpty else { return 0 }
        let length = min(buffer.count, count - offset)
        let registration = flag?.onCancel { [weak self] in self?.update { _ in } }
        defer { if let registration { flag?.forget(registration) } }
        let end = try wait(for: offset, length, flag).get()
        do throws(SystemError) {
            let part = max(0, min(length, end - offset))
            return try body.blob.read(at: offset, into: .init(rebasing: buffer.prefix(part)))
        } catch {
            throw error.mediaError("read", "the loaded bytes")
        }
    }

    /// Waits for all bytes of a range, or in a stream that goes on for some; returns how many have arrived.
    private func wait(
        for offset: Int, _ length: Int, _ flag: CancellationFlag?
    ) -> Result<Int, MediaError> {
        let needed = offset + (isUnending ? 1 : length)
        return state.wait { state -> Result<Int, MediaError>? in
            if state.received >= needed { return .success(state.received) }
            if flag?.isCancelled == true { return .failure(.cancelled) }
            return state.end.map { ended in ended.map { state.received } }
        }
    }

    /// What there is: more than a number of bytes, or the end, or what there is after a time.
    package func wait(
        beyond count: Int, for timeout: Duration
    ) throws(MediaError) -> (received: Int, isEnded: Bool) {
        let answer = state.wait(for: timeout) {
            (state, isTimedOut) -> (Int, Result<Void, MediaError>?)? in
            guard state.received > count || state.end != nil || isTimedOut else { return nil }
            return (state.received, state.end)
        }
        guard let (received, end) = answer else { return (count, false) }
        if let end { try end.get() }
        return (received, end != nil)
    }

    /// Fixes what counts as arrived for those that open it from now on.
    package func settle() { state.withLock { $0.arrived = $0.received } }

    // MARK: - Receiving

    /// Keeps a chunk, unless the store does.
    private func take(_ piece: [UInt8], of body: LoadBody) async throws(MediaError) -> Int {
        do throws(SystemError) { try await self.body.append(piece, of: body) } catch {
            throw error.mediaError("keep", "the loaded bytes")
        }
        let received = state.withLock { $0.received + piece.count }
        update { $0.received = received }
        return received
    }

    private func didEnd(_ end: Result<Void, MediaError>) {
        update { state in
            if state.end == nil { state.end = end }
        }
    }

    /// Changes the state, and wakes the waiting reads.
    private func update(_ change: (inout State) -> Void) {
        state.withLock(change)
        state.broadcast()
    }
}

extension LoadingError {
    /// The error of a decoder whose bytes cannot be loaded.
    var asMediaError: MediaError {
        code == .cancelled ? .cancelled : MediaError(.environment, message, underlying: self)
    }
}
