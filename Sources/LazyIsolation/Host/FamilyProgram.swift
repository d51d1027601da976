internal import CSandbox
internal import LazyBase
internal import LazyMedia

/// The program that forks the decoders of a family: started when it is needed, and again after faults.
final class FamilyProgram: Sendable {
    private struct State {
        var server: DecoderServer?
        var unused: [String: [DecoderProcess]] = [:]
        /// Ends of the program in a row that were not wanted, and when it is started again.
        var faults = 0
        var restart = ContinuousClock.Instant.now
        /// Crashes of decoders in a row, and when the program is renewed for the next one.
        var crashes = 0
        var renewal = ContinuousClock.Instant.now
    }
    private let family: DecoderFamily
    private let policy: IsolationPolicy
    private let state = Locked(State())

    init(_ family: DecoderFamily, _ policy: IsolationPolicy) {
        self.family = family
        self.policy = policy
    }

    /// A decoder for media of a type.
    func decoder(_ type: MediaType, _ limits: sandbox_limits) throws(MediaError) -> DecoderProcess {
        if let ready = takeUnused(limits) { return ready }
        return try server().fork(type.name, limits: limits, required: policy.required)
    }

    /// The running program; starts it where there is none.
    func server() throws(MediaError) -> DecoderServer {
        let result = state.withLock { state -> Result<DecoderServer, MediaError> in
            if let server = state.server, server.isAlive { return .success(server) }
            if state.server != nil { fault(&state) }
            let pause = state.restart - .now
            guard pause <= .zero else {
                return .failure(
                    MediaError(
                        .environment,
                        "The program that decodes ended \(state.faults) times, and is not started again yet."
                    ))
            }
            // Others wait, because they need it, too.
            let result = Result { () throws(MediaError) in try start() }
            state.server = try? result.get()
            if case .failure(let error) = result, !error.isLackOfDescriptors { fault(&state) }
            return result
        }
        return try result.get()
    }

    private func start() throws(MediaError) -> DecoderServer {
        OutOfMemoryKills.watch()
        if let program = policy.program { return try DecoderServer(path: program, family) }
        if let shared = SharedDecoder.server(family) { return shared }
        return try DecoderServer(path: ProgramPath.find(), family)
    }

    // MARK: - Processes forked ahead

    private func takeUnused(_ limits: sandbox_limits) -> DecoderProcess? {
        guard case .pooled(let count) = policy.isolation, count > 0 else { return nil }
        guard let server = try? server() else { return nil }
        let key = "\(limits.memory) \(limits.seconds)"
        let (taken, missing) = state.withLock { state in
            // Limits that are not asked for any more keep no processes.
            if state.unused.count > 2 { state.unused = [:] }
            var unused = state.unused[key] ?? []
            let taken = unused.isEmpty ? nil : unused.removeFirst()
            state.unused[key] = unused
            return (taken, count - unused.count)
        }
        // Threads that do this at once may fork some more, which are used later.
        let more = (0..<max(0, missing)).compactMap { _ in
            try? server.fork("", limits: limits, required: policy.required)
        }
        state.withLock { state in
            if state.server === server { state.unused[key, default: []] += more }
        }
        return taken
    }

    // MARK: - Faults

    /// The first fault costs nothing; the pause before a new start doubles with each further one.
    private func fault(_ state: inout State) {
        state.server = nil
        state.unused = [:]
        state.faults += 1
        guard state.faults > 1 else { return }
        state.restart = .now + Self.pause(after: state.faults)
    }

    /// It doubles with each fault in a row, up to ten minutes.
    private static func pause(after faults: Int) -> Duration {
        min(.milliseconds(50) * (1 << min(faults, 14)), .seconds(600))
    }

    /// Starts another program for the next media: a fault shows an attacker how memory lies in all forks.
    ///
    /// Where faults follow each other quickly, the program stays for a while that doubles each time.
    func decoderCrashed() {
        state.withLock { state in
            guard state.renewal <= .now else { return }
            state.server = nil
            state.unused = [:]
            state.crashes += 1
            state.renewal = .now + Self.pause(after: state.crashes)
        }
    }

    /// Forgets faults: media was decoded since.
    func decoderWorked() {
        state.withLock {
            $0.faults = 0
            $0.crashes = 0
        }
    }
}
