internal import ArgumentParser
internal import LazyOptions
internal import LazyRenditions

/// How fast a clip plays.
struct SpeedOptions: ParsableArguments {
    @Option("The factor of speed, such as 2 or 0.5.", Words.speed, as: "factor")
    var speed: Double?
}
