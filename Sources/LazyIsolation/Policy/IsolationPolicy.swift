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
    /// How long a decoder that nobody uses stays alive; its media is reopened when it is used again.
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

    /// Takes all layers that the machine offers, and requires none but limits.
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
