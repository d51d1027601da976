internal import LazyBase
internal import LazyLoading
internal import LazyMedia

/// The key that requests are signed with now: of the first place that has one, looked for again before it expires.
final class AccessKeys: Sendable {
    /// Looks for a key in a place; nil where that has none.
    ///
    /// A result, because the compiler ends with a signal for such a closure that throws.
    typealias Place = @Sendable () async -> Result<AccessKey?, LoadingError>

    private struct State {
        var key: AccessKey?
        /// When it is looked for again.
        var renewal = WallTime(milliseconds: .min)
        var error: LoadingError?
    }

    /// How long before its end a key is replaced, and after how long one that stays is looked at again.
    static let margin = Duration.seconds(300)
    /// After how long what has failed is tried again.
    static let pause = Duration.seconds(20)

    private let places: [Place]
    private let now: @Sendable () -> WallTime
    private let state = Locked(State())
    private let mutex = AsyncMutex()

    init(_ places: [Place], now: @escaping @Sendable () -> WallTime = { .now }) {
        (self.places, self.now) = (places, now)
    }

    /// The key; while one asks for it, others wait.
    func current() async throws(LoadingError) -> AccessKey {
        if let known = try known() { return known }
        let lock: AsyncMutex.Lock
        do throws(MediaError) { lock = try await mutex.lock() } catch { throw .cancelled }
        defer { lock.unlock() }
        if let known = try known() { return known }
        let time = now()
        do throws(LoadingError) {
            let key = try await look()
            let end = key.expiry.map { max($0 + (.zero - Self.margin), time + Self.pause) }
            let renewal = min(end ?? time + Self.margin, time + Self.margin)
            state.withLock { $0 = State(key: key, renewal: renewal) }
            return key
        } catch {
            if error.code == .cancelled { throw error }
            return try state.withLock { (state) throws(LoadingError) -> AccessKey in
                state.renewal = time + Self.pause
                // One that has not expired is still good.
                if let key = state.key, key.isValid(at: time) { return key }
                (state.key, state.error) = (nil, error)
                throw error
            }
        }
    }

    private func known() throws(LoadingError) -> AccessKey? {
        let time = now()
        return try state.withLock { (state) throws(LoadingError) -> AccessKey? in
            guard time < state.renewal else { return nil }
            if let key = state.key { return key.isValid(at: time) ? key : nil }
            if let error = state.error { throw error }
            return nil
        }
    }

    private func look() async throws(LoadingError) -> AccessKey {
        var fault: LoadingError?
        for place in places {
            do throws(LoadingError) {
                if let key = try await place().get(), key.isValid(at: now()) { return key }
            } catch {
                if error.code == .cancelled { throw error }
                fault = error
            }
        }
        throw LoadingError(
            .environment,
            "There is no key for S3 in the environment, a file of credentials or the machine's metadata.",
            underlying: fault)
    }
}

extension AccessKey {
    fileprivate func isValid(at time: WallTime) -> Bool { expiry.map { time < $0 } ?? true }
}
