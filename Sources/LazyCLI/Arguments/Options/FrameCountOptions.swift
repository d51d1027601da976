internal import ArgumentParser
internal import LazyOptions
internal import LazyRenditions

/// How many frames are written.
struct FrameCountOptions: ParsableArguments {
    @Option("The maximum number of frames.", Words.count, as: "n")
    var maxFrames: Int?
}
