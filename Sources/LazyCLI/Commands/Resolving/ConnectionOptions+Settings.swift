internal import FoundationEssentials
internal import LazyLoading

extension ConnectionOptions {
    /// The settings for a number of inputs; throws for contradictions.
    func settings(inputs: Int, most maxBytes: Int?) throws(CommandFailure) -> NetworkSettings {
        if lowData != nil, inputs > 1 {
            throw .usage("--low-data is for one input.", hint: "Run the command once for each.")
        }
        if !alternative.isEmpty, inputs > 1 {
            throw .usage("--alternative is for one input.", hint: "Run the command once for each.")
        }
        if budget != nil, alternative.isEmpty {
            throw .usage(
                "--budget selects one of several URLs, and there is only one.",
                hint: "Add others with --alternative, or limit the size with --max-bytes.")
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
            maxTime: maxTime, minRate: minRate, maximumBytes: maxBytes, cacheFolder: folder.path)
    }
}

extension Reading {
    /// How inputs are read according to the options.
    init(
        _ options: ReadingOptions, _ network: some NetworkChoosing, inputs: [Input],
        _ report: ReportOptions, isProgressive: Bool = false
    ) throws(CommandFailure) {
        self.init(
            options.limits.choice,
            Network(
                try network.settings(inputs: inputs.count), options.limits.choice,
                isQuiet: report.quiet,
                isProgressive: isProgressive))
        track = options.track
    }
}
