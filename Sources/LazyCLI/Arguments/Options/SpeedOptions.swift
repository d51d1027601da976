internal import ArgumentParser

/// How fast a clip plays.
struct SpeedOptions: ParsableArguments {
    @Option(
        help: .init("The factor of speed, such as 2 or 0.5.", valueName: "factor"),
        transform: Arguments.factor)
    var speed: Double?
}
