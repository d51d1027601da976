internal import ArgumentParser
internal import CommandSupport
internal import FoundationEssentials
import Glibc
internal import LazyCache
internal import LazyFiles
internal import LazyKit
internal import LazyLoading

/// How `http` and `https` URLs are requested, and how much of them is loaded.
struct NetworkOptions: ParsableArguments, NetworkChoosing {
    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: .init("Load at most this much of an input: 500K, 20MB, 2GiB.", valueName: "size"),
        transform: NetworkArguments.size)
    var maxBytes: Int?

    func settings(inputs: Int) throws(CommandFailure) -> NetworkSettings {
        try connection.settings(inputs: inputs, most: maxBytes)
    }
}

/// The same for commands whose `--max-bytes` limits the output.
struct EncodingNetworkOptions: ParsableArguments, NetworkChoosing {
    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: .init("Load at most this much of an input: 500K, 20MB, 2GiB.", valueName: "size"),
        transform: NetworkArguments.size)
    var maxDownload: Int?

    func settings(inputs: Int) throws(CommandFailure) -> NetworkSettings {
        try connection.settings(inputs: inputs, most: maxDownload)
    }
}

/// Options for requests of URLs.
protocol NetworkChoosing {
    /// The settings for a number of inputs; throws for contradictions.
    func settings(inputs: Int) throws(CommandFailure) -> NetworkSettings
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
        help: .init(
            "The URL to load instead of the input while the network is constrained: metered, or by LAZYIMG_LOW_DATA (1 or 0).",
            valueName: "url"),
        transform: NetworkArguments.address)
    var lowData: URL?

    @Option(
        help: .init(
            "Another URL of the same input, used if the previous one fails or is over --budget; may be repeated, best first.",
            valueName: "url"),
        transform: NetworkArguments.address)
    var alternative: [URL] = []

    @Option(
        help: .init(
            "The maximum size to load: the first of the URLs that is not larger is used, or the smallest.",
            valueName: "size"),
        transform: NetworkArguments.size)
    var budget: Int?

    @Option(
        help: .init(
            "The number of retries after temporary errors. Default: \(NetworkSettings.usualRetries).",
            valueName: "n"),
        transform: NetworkArguments.retries)
    var retries: Int?

    @Option(
        help: .init(
            "Give up a connection that receives nothing for this time. Default: 15s, 10s to connect.",
            valueName: "time"),
        transform: NetworkArguments.timeout)
    var timeout: Duration?

    @Option(
        help: .init(
            "Give up a load after this time, including retries and redirects. Default: no limit.",
            valueName: "time"),
        transform: NetworkArguments.timeout)
    var maxTime: Duration?

    @Option(
        help: .init(
            "Give up a transfer that receives less than this per second over half a minute; 0 for no limit. Default: 100.",
            valueName: "size"),
        transform: NetworkArguments.rate)
    var minRate: Int?

    @Option(
        help: .init("A header field to send, 'Name: value'; may be repeated.", valueName: "field"),
        transform: NetworkArguments.field)
    var header: [HTTPHeaders.Field] = []

    @OptionGroup var folder: CacheFolderOptions

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

/// The folder of the caches.
struct CacheFolderOptions: ParsableArguments {
    @Option(
        help: .init(
            "The folder of the caches, instead of LAZYIMG_CACHE_DIR or ~/.cache/lazyimg.",
            valueName: "dir"),
        completion: .directory)
    var cacheDir: String?

    func validate() throws {
        // The caches take text for names, so a different folder would be created.
        if let cacheDir, FileName.isMapped(cacheDir) {
            throw ValidationError("The folder of --cache-dir has a name that is not UTF-8.")
        }
    }

    /// The folder of the option or the environment; nil if this user has none.
    var path: String? {
        if let cacheDir, !cacheDir.isEmpty { return cacheDir }
        return Self.standardPath
    }

    /// The folder; throws if there is none.
    func requirePath() throws(CommandFailure) -> String {
        guard let path else {
            throw CommandFailure(
                .noInput, "missing", DiskCacheProblem.noFolder.description + ".",
                hint: "Name one with --cache-dir.")
        }
        return path
    }

    /// The folder of the environment.
    static var standardPath: String? {
        if let folder = getenv("LAZYIMG_CACHE_DIR"), folder.pointee != 0 {
            return String(cString: folder)
        }
        return CacheFolder.standard
    }
}

/// Parses the values of network options.
enum NetworkArguments {
    static func address(_ text: String) throws -> URL {
        guard let url = RemoteAddress.url(text) else {
            throw ArgumentError("a URL begins with http:// or https:// and contains a host")
        }
        return url
    }

    static func retries(_ text: String) throws -> Int {
        guard let number = Int(text), (0...100).contains(number) else {
            throw ArgumentError("it must be a whole number from 0 to 100")
        }
        return number
    }

    static func timeout(_ text: String) throws -> Duration {
        guard let duration = TimestampParser.duration(text), duration > .zero else {
            throw ArgumentError("it must be a time such as 5, 1.5 or 2m")
        }
        return duration
    }

    /// `Name: value` of RFC 9110, without line breaks.
    static func field(_ text: String) throws -> HTTPHeaders.Field {
        let fault = ArgumentError("a header field is written as 'Name: value'")
        guard let colon = text.firstIndex(of: ":") else { throw fault }
        let name = text[..<colon]
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte),
            value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { throw fault }
        return HTTPHeaders.Field(name: String(name), value: String(value))
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    static func rate(_ text: String) throws -> Int {
        if text == "0" { return 0 }
        return try size(text)
    }

    static func size(_ text: String) throws -> Int {
        guard let size = ByteSize.parse(text), size > 0 else {
            throw ArgumentError("a size is written as 1500, 500K, 20MB or 2GiB")
        }
        return size
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
                try network.settings(inputs: inputs.count), isQuiet: report.quiet,
                isProgressive: isProgressive))
    }
}
