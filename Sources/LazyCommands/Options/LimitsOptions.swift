internal import ArgumentParser
internal import CommandSupport
internal import LazyMedia

/// What decoding may cost, as the command line says it.
struct LimitsOptions: ParsableArguments {
    @Option(
        help: .init(
            "What decoding may cost: 'local' (for files), 'web' (for addresses and standard input), or 'untrusted' for uploads of strangers; see 'lazyimg help limits'.",
            valueName: "profile"))
    var limits: LimitsProfile?

    @Option(
        name: .customLong("limit"),
        help: .init(
            "Limits by themselves, such as pixels=100M,memory=2G or time=none; see 'lazyimg help limits'.",
            valueName: "name=value"),
        transform: LimitChange.list)
    var changes: [[LimitChange]] = []

    /// The options as a value.
    var choice: LimitsChoice { LimitsChoice(profile: limits, changes: changes.flatMap { $0 }) }
}

extension LimitsProfile: ExpressibleByArgument {
    package init?(argument: String) {
        // The name that `local` had.
        self.init(rawValue: argument == "trusted" ? "local" : argument)
    }
}
