internal import ArgumentParser
internal import LazyBase

/// The number of downloads at once.
struct DownloadOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: .init("The number of downloads at once; 0 is one per core.", valueName: "n"),
        transform: Arguments.jobs)
    var jobs: Int = 4

    /// The number, with one per core for 0.
    var count: Int { jobs == 0 ? BlockingPool.coreCount : jobs }
}
