internal import CSandbox
internal import Glibc
internal import LazyBase
public import LazyMedia

/// Starts decoders in processes of their own; one for each policy.
///
/// Nothing is started before the first media is opened. Threads may share it.
public final class DecoderHost: Sendable {
    /// How it isolates.
    public let policy: IsolationPolicy
    let budget: ProcessBudget

    /// What the parts of a list leave for each other; nil where each media has a process of its own.
    let idle: IdleDecoders?

    private let films: FamilyProgram
    private let pictures: FamilyProgram
    private let counts: DecoderCounts

    /// Makes a host; costs nothing.
    public init(_ policy: IsolationPolicy = .standard) {
        self.policy = policy
        budget = ProcessBudget(most: policy.maximumProcesses, idleTime: policy.idleTime)
        films = FamilyProgram(.films, policy)
        pictures = FamilyProgram(.pictures, policy)
        idle = nil
        counts = DecoderCounts()
    }

    private init(partsOfOneListBy host: DecoderHost) {
        policy = host.policy
        budget = host.budget
        films = host.films
        pictures = host.pictures
        idle = IdleDecoders(host.budget)
        counts = host.counts
    }

    /// The same for the parts of one list, which a process decodes one after the other.
    package func forPartsOfOneList() -> DecoderHost { DecoderHost(partsOfOneListBy: self) }

    /// Starts the programs that fork decoders, so that they load libraries while the caller does other things.
    ///
    /// Errors are reported when media is opened.
    ///
    /// - Parameter types: What will be decoded; all that can be where it is empty.
    public func prepare(for types: [MediaType] = []) {
        let families = types.isEmpty ? DecoderFamily.allCases : types.map { DecoderFamily($0) }
        for family in Set(families) { _ = try? program(family).server() }
    }

    /// What isolation this machine offers; starts a decoder, and ends it.
    ///
    /// Blocks for some milliseconds. Throws `.environment` where no decoder can be started.
    public func report() throws(MediaError) -> IsolationReport {
        // GIF needs no libraries, which would be loaded first.
        let server = try pictures.server()
        let decoder = try server.fork(
            MediaType.gif.name, limits: limits(.untrusted), required: [])
        defer { decoder.end() }
        var open = policy
        open.required = []
        return try decoder.ready(open, deadline: .now + .seconds(10))
    }

    /// The decoders that have media, used or not.
    public var liveDecoders: Int { budget.count }

    /// What became of decoders since the host was made.
    public var statistics: Statistics {
        var statistics = counts.ended
        (statistics.live, statistics.used) = budget.use
        return statistics
    }

    /// Counts a decoder that is started for media.
    func didStart() { counts.didStart() }

    /// Counts the end of a decoder by a fault; other errors are those of media.
    func didFail(_ session: MediaSession, by error: MediaError) {
        guard let end = DecoderCounts.End(error, hasEnded: session.hasEnded),
            session.isFirstFault()
        else { return }
        counts.didEnd(end)
    }

    /// A decoder for media of a type.
    func decoder(_ type: MediaType, _ limits: DecodingLimits) throws(MediaError) -> DecoderProcess {
        try program(DecoderFamily(type)).decoder(type, self.limits(limits))
    }

    /// Starts another program in place of the one that forked a decoder.
    func didCrash(_ decoder: DecoderProcess) { program(decoder.family).decoderCrashed() }

    /// Forgets the faults of the program that forked a decoder: media was decoded since.
    func didWork(_ decoder: DecoderProcess) { program(decoder.family).decoderWorked() }

    private func program(_ family: DecoderFamily) -> FamilyProgram {
        switch family {
        case .films: films
        case .pictures: pictures
        }
    }

    /// The limits of a process for those of media.
    ///
    /// A decoder uses memory beside what limits count: its libraries, and what they keep.
    func limits(_ limits: DecodingLimits) -> sandbox_limits {
        let own = 256 << 20
        let memory = limits.memory.map { $0.addingReportingOverflow(own) }
        let times = [limits.openTime, limits.decodeTime].map { $0.map { $0 / .seconds(1) } }
        // Several readers of one media have a limit each.
        let seconds = times.contains(nil) ? 0 : times.compactMap { $0 }.reduce(60, +) * 4
        return sandbox_limits(
            memory: memory.map { $0.overflow ? 0 : UInt64($0.partialValue) } ?? 0,
            seconds: UInt32(min(seconds, 1_000_000)), descriptors: 256)
    }
}
