internal import ArgumentParser
internal import LazyMedia
internal import LazyOptions
internal import LazyPipeline
internal import LazyRenditions

/// The limits of decoding.
struct LimitsOptions: ParsableArguments {
    @Option(
        "The limits of decoding: 'local' (the default for files), 'web' (the default for URLs and standard input), or 'untrusted' for uploads of strangers; see 'lazyimg help limits'.",
        as: "profile")
    var limits: LimitsProfile?

    @Option(
        name: .customLong("limit"),
        help: .init(
            "Individual limits, such as pixels=100M,memory=2G or time=none; see 'lazyimg help limits'.",
            valueName: "name=value"),
        transform: { try Words.limits.parse($0) })
    var changes: [[LimitChange]] = []

    @Option(
        help: .init(
            "Decode in locked processes of their own: always, never, or auto, which does it for URLs, standard input, '--limits untrusted' and commands for many files; see 'lazyimg help isolation'.",
            valueName: "when"))
    var isolate = IsolationChoice.auto

    /// Whether the command reads many files, which nobody has looked at one by one; not an option.
    var opensMany = false

    /// The options as a value.
    var choice: LimitsChoice {
        LimitsChoice(
            profile: limits, changes: changes.flatMap { $0 }, isolation: isolate.isolation,
            opensMany: opensMany)
    }
}

extension LimitsProfile: ExpressibleByArgument {
    init?(argument: String) {
        guard let profile = try? Words.profile.parse(argument) else { return nil }
        self = profile
    }
}
