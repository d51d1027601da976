internal import ArgumentParser

/// How many frames are written.
struct FrameCountOptions: ParsableArguments {
    @Option(
        help: .init("The maximum number of frames.", valueName: "n"), transform: Arguments.positive)
    var maxFrames: Int?
}
