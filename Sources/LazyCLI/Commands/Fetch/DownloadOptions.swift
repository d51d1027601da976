internal import ArgumentParser
internal import LazyBase
internal import LazyOptions
internal import LazyRenditions

/// The number of downloads at once.
struct DownloadOptions: ParsableArguments {
    @Option(
        "The number of downloads at once; 0 is one per core.",
        Words.threads, as: "n", name: [.customShort("j", allowingJoined: true), .long])
    var jobs: Int = 4

    /// The number, with one per core for 0.
    var count: Int { jobs == 0 ? BlockingPool.coreCount : jobs }
}
