/// Where media is decoded.
public enum DecodingIsolation: Hashable, Sendable {
    /// In the process that asks: a fault in a decoder is a fault of the whole program.
    case inProcess
    /// In a locked process of its own for each media.
    case perMedia
    /// The same, with so many unused processes forked ahead for films, and for pictures; none serves two media.
    case pooled(Int)
}

/// How strangers' media is kept from the rest of the program.
///
/// See <doc:Isolation> for what is protected by which layer, and what is not.
public struct IsolationPolicy: Hashable, Sendable {
    /// Where media is decoded.
    public var isolation: DecodingIsolation
    /// The layers without which nothing is decoded; then opening throws `.environment`.
    public var required: Set<IsolationLayer>
    /// The program that decodes, or nil for that which `DecoderHost.programPath` finds.
    public var program: String?
    /// The most decoders of this policy that have media at a time; those that are not in use end first.
    ///
    /// Unused ones that were forked ahead come on top.
    public var maximumProcesses: Int
    /// How long a decoder may take for one answer where the limits set no time; then it is killed.
    public var answerTime: Duration
    /// How long a decoder that nobody uses stays alive; its media is opened anew when it is used again.
    public var idleTime: Duration

    /// Makes a policy.
    public init(
        _ isolation: DecodingIsolation = .perMedia,
        required: Set<IsolationLayer> = [.noNewPrivileges, .limits], program: String? = nil,
        maximumProcesses: Int = 32, answerTime: Duration = .seconds(120),
        idleTime: Duration = .seconds(2)
    ) {
        self.isolation = isolation
        self.required = required
        self.program = program
        self.maximumProcesses = max(1, maximumProcesses)
        self.answerTime = answerTime
        self.idleTime = idleTime
    }

    /// Takes all layers that can be had, and requires none beside limits.
    public static let standard = IsolationPolicy()

    /// The same with processes forked ahead, for services.
    public static let server: IsolationPolicy = {
        var policy = untrusted
        policy.isolation = .pooled(2)
        return policy
    }()

    /// For media of unknown users: refuses to decode where system calls cannot be filtered.
    public static let untrusted = IsolationPolicy(required: [.noNewPrivileges, .limits, .seccomp])
}

/// One of the independent layers between a decoder and the rest of the machine.
public enum IsolationLayer: String, CaseIterable, Hashable, Sendable {
    // In the order of `wall_layer`.
    /// Programs with a set-user-ID bit give nothing.
    case noNewPrivileges
    /// Limits of memory, processor time, files and descriptors.
    case limits
    /// Only the system calls that decoding needs.
    case seccomp
    /// No files, no network by TCP, no signals to others.
    case landlock
    /// Own process IDs, network and System V objects.
    case namespaces
    /// No capabilities, and not the user root.
    case unprivileged
    /// Memory never becomes executable.
    case noExecutableMemory

    /// A short description for people.
    public var summary: String {
        switch self {
        case .noNewPrivileges: "no new privileges"
        case .limits: "limits of memory, time and files"
        case .seccomp: "filter of system calls (seccomp)"
        case .landlock: "no files and ports (Landlock)"
        case .namespaces: "own processes and network (namespaces)"
        case .unprivileged: "no capabilities, not root"
        case .noExecutableMemory: "no new executable memory"
        }
    }
}
