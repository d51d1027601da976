package import LazyBase
package import LazyLoading
package import LazyMedia

/// The bytes of a response that is being received; reads block until their bytes have arrived.
///
/// For servers without ranges.
package final class StreamedBytes: ByteSource {
    private struct State: Sendable {
        /// The bytes so far, in the loader's store or in a temporary file.
        var blob = Blob([])
        var spill: TemporaryFile?
        var received = 0
        var end: Result<Void, MediaError>?
        var pump: Task<Void, Never>?
    }
    /// The declared number of bytes.
    package let count: Int
    private let state = LockedCondition(State())
    private let whole = WholeBytes()

    /// Starts to receive a response; nil if its size is unknown.
    ///
    /// Calls `didArrive` with the number of bytes so far. Releasing this cancels the load.
    package static func begin(
        _ response: LoadResponse, didArrive: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> StreamedBytes? {
        guard let count = response.head.expectedCount, count > 0 else { return nil }
        let bytes = StreamedBytes(count)
        let body = response.body
        // Owned by the bytes, which cancel it when they are released.
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
        bytes.state.withLock { $0.pump = pump }
        return bytes
    }

    private init(_ count: Int) { self.count = count }

    deinit { state.withLock { $0.pump?.cancel() } }

    /// Always true: reading takes network time.
    package var isRemote: Bool { true }

    /// The number of bytes received so far.
    package var received: Int { state.withLock { $0.received } }

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
        let blob = try wait(for: offset + length, flag).get()
        do throws(SystemError) {
            return try blob.read(at: offset, into: .init(rebasing: buffer.prefix(length)))
        } catch {
            throw error.mediaError("read", "the loaded bytes")
        }
    }

    private func wait(for end: Int, _ flag: CancellationFlag?) -> Result<Blob, MediaError> {
        state.wait { state in
            if state.received >= end { return .success(state.blob) }
            if flag?.isCancelled == true { return .failure(.cancelled) }
            return state.end.map { ended in ended.map { state.blob } }
        }
    }

    // MARK: - Receiving

    /// Keeps a chunk, unless the store does; returns nil if it cannot be kept.
    private func take(_ piece: [UInt8], of body: LoadBody) async -> Int? {
        let (received, spill) = state.withLock { ($0.received + piece.count, $0.spill) }
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
        update { state in
            state.blob = blob
            state.spill = spill
            state.received = received
        }
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
