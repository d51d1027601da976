internal import ArgumentParser
internal import FoundationEssentials
internal import LazyLoading
internal import LazyOptions
internal import LazyRenditions

/// How `http` and `https` URLs are requested, and how much of them is loaded.
struct NetworkOptions: ParsableArguments {
    @OptionGroup var connection: ConnectionOptions

    @Option(
        "Load at most this much of an input: 500K, 20MB, 2GiB.",
        NetworkArguments.size, as: "size")
    var maxDownload: Int?

    /// The settings for a number of inputs; throws for contradictions.
    func settings(inputs: Int) throws(CommandFailure) -> NetworkSettings {
        try connection.settings(inputs: inputs, most: maxDownload)
    }
}

/// How `http` and `https` URLs are requested.
struct ConnectionOptions: ParsableArguments {
    @Flag(help: "Do not use the cache.")
    var noCache = false

    @Flag(help: "Load again even if cached, and store the response.")
    var refresh = false

    @Flag(help: "Use only cached responses of any age, never the network.")
    var offline = false

    @Option(
        "The URL to load instead of the input while the network is constrained: metered, or by LAZYIMG_LOW_DATA (1 or 0).",
        as: "url", transform: NetworkArguments.address)
    var lowData: URL?

    @Option(
        help: .init(
            "Another URL of the same input, used if the previous one fails or is over --budget; may be repeated, best first.",
            valueName: "url"),
        transform: NetworkArguments.address)
    var alternative: [URL] = []

    @Option(
        "The maximum size to load: the first of the URLs that is not larger is used, or the smallest.",
        NetworkArguments.size, as: "size")
    var budget: Int?

    @Option(
        "The number of retries after temporary errors. Default: \(NetworkSettings.usualRetries).",
        Words.whole(0...100), as: "n")
    var retries: Int?

    @Option(
        "Give up a connection that receives nothing for this time. Default: 15s, 10s to connect.",
        NetworkArguments.timeout, as: "time")
    var timeout: Duration?

    @Option(
        "Give up a load after this time, including retries and redirects. Default: no limit.",
        NetworkArguments.timeout, as: "time")
    var maxTime: Duration?

    @Option(
        "Give up a transfer that receives less than this per second over half a minute; 0 for no limit. Default: 100.",
        NetworkArguments.rate, as: "size")
    var minRate: Int?

    @Option(
        help: .init("A header field to send, 'Name: value'; may be repeated.", valueName: "field"),
        transform: NetworkArguments.field)
    var header: [HTTPHeaders.Field] = []

    @OptionGroup var folder: CacheFolderOptions
}

extension ConnectionOptions {
    /// The settings for a number of inputs; throws for contradictions.
    func settings(inputs: Int, most maxDownload: Int?) throws(CommandFailure) -> NetworkSettings {
        if lowData != nil, inputs > 1 {
            throw .usage("--low-data is for one input.", hint: "Run the command once for each.")
        }
        if !alternative.isEmpty, inputs > 1 {
            throw .usage("--alternative is for one input.", hint: "Run the command once for each.")
        }
        if budget != nil, alternative.isEmpty {
            throw .usage(
                "--budget selects one of several URLs, and there is only one.",
                hint: "Add others with --alternative, or limit the size with --max-download.")
        }
        let policies: [(String, Bool, FetchPolicy)] = [
            ("--no-cache", noCache, .noCache), ("--refresh", refresh, .reload),
            ("--offline", offline, .cacheOnly),
        ]
        let given = policies.filter(\.1)
        if given.count > 1 {
            throw .usage("\(given[0].0) cannot be combined with \(given[1].0).")
        }
        var headers = HTTPHeaders()
        for field in header { headers.add(field.name, field.value) }
        return NetworkSettings(
            policy: given.first?.2 ?? .normal, headers: headers, lowDataURL: lowData,
            alternatives: alternative, budget: budget,
            retries: retries ?? NetworkSettings.usualRetries, timeout: timeout,
            maxTime: maxTime, minRate: minRate, maximumBytes: maxDownload, cacheFolder: folder.path)
    }
}
