internal import CWall
internal import Glibc
internal import LazyBytes
public import LazyMedia

/// Starts decoders in processes of their own; one for each policy.
///
/// Nothing is started before the first media is opened. Threads may share it.
public final class DecoderHost: Sendable {
    /// How it isolates.
    public let policy: IsolationPolicy
    let budget: ProcessBudget

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
    private let state = Locked(State())

    /// Makes a host; costs nothing.
    public init(_ policy: IsolationPolicy = .standard) {
        self.policy = policy
        budget = ProcessBudget(most: policy.maximumProcesses, idleTime: policy.idleTime)
    }

    /// Starts the program that forks decoders, so that it loads libraries while the caller does other things.
    ///
    /// Errors are reported when media is opened.
    public func prepare() { _ = try? server() }

    /// What isolation can be had here; starts a decoder, and ends it.
    ///
    /// Blocks for some milliseconds. Throws `.environment` where no decoder can be started.
    public func report() throws(MediaError) -> IsolationReport {
        let decoder = try server().fork("", limits: limits(.untrusted), required: [])
        defer { decoder.end() }
        var open = policy
        open.required = []
        return try decoder.ready(open, deadline: .now + .seconds(10))
    }

    /// The decoders that are alive, used or not.
    public var liveDecoders: Int { budget.count }

    /// A decoder for media of a type.
    func decoder(_ type: MediaType, _ limits: DecodingLimits) throws(MediaError) -> DecoderProcess {
        let wall = self.limits(limits)
        if let ready = takeUnused(wall) { return ready }
        return try server().fork(type.name, limits: wall, required: policy.required)
    }

    // MARK: - Processes forked ahead

    private func takeUnused(_ limits: wall_limits) -> DecoderProcess? {
        guard case .pooled(let count) = policy.isolation, count > 0 else { return nil }
        guard let server = try? server() else { return nil }
        let key = "\(limits.memory) \(limits.seconds)"
        return state.withLock { state in
            var unused = state.unused[key] ?? []
            let taken = unused.isEmpty ? nil : unused.removeFirst()
            while unused.count < count {
                guard
                    let more = try? server.fork("", limits: limits, required: policy.required)
                else { break }
                unused.append(more)
            }
            // Limits that are not asked for any more keep no processes.
            if state.unused.count > 2 { state.unused = [:] }
            state.unused[key] = unused
            return taken
        }
    }

    // MARK: - The program

    private func server() throws(MediaError) -> DecoderServer {
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
            let result = Result { () throws(MediaError) in try start() }
            state.server = try? result.get()
            if case .failure = result { fault(&state) }
            return result
        }
        return try result.get()
    }

    private func start() throws(MediaError) -> DecoderServer {
        if policy.program == nil, let connection = SharedDecoder.connect() {
            return DecoderServer(connection: connection, path: SharedDecoder.path ?? "")
        }
        if let program = policy.program { return try DecoderServer(path: program) }
        return try DecoderServer(path: Self.programPath())
    }

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

    /// The limits of a process for those of media.
    ///
    /// A decoder uses memory beside what limits count: its libraries, and what they keep.
    func limits(_ limits: DecodingLimits) -> wall_limits {
        let own = 256 << 20
        let memory = limits.memory.map { $0.addingReportingOverflow(own) }
        let times = [limits.openTime, limits.decodeTime].map { $0.map { $0 / .seconds(1) } }
        // Several readers of one media have a limit each.
        let seconds = times.contains(nil) ? 0 : times.compactMap { $0 }.reduce(60, +) * 4
        return wall_limits(
            memory: memory.map { $0.overflow ? 0 : UInt64($0.partialValue) } ?? 0,
            seconds: UInt32(min(seconds, 1_000_000)), descriptors: 256)
    }
}
