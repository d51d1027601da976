/// A setting of the program: `--admin-port 8081`, `LAZYIMG_ADMIN_PORT=8081` or `"adminPort": 8081` in a file.
struct Setting: Sendable {
    /// Its name, in camel case; behind a dot, a member of an object in a file.
    let name: String
    /// What it is, and what it is without one.
    let summary: String
    /// Whether its value is not to be seen.
    var isSecret = false
    /// Whether it is several values, also by several flags.
    var isList = false

    /// The name as a flag.
    var flag: String {
        var text = "--"
        for character in name {
            text +=
                character.isUppercase
                ? "-" + character.lowercased() : character == "." ? "-" : String(character)
        }
        return text
    }

    /// All of them.
    static let all: [Setting] = [
        Setting(name: "config", summary: "A JSON file of settings."),
        Setting(name: "root", summary: "The folder of local sources; none without it."),
        Setting(name: "host", summary: "The address to listen at; 127.0.0.1."),
        Setting(name: "port", summary: "The port; 8080."),
        Setting(
            name: "adminHost", summary: "The address of probes, metrics and purging; 127.0.0.1."),
        Setting(name: "adminPort", summary: "Their port; 8081."),
        Setting(name: "unsafe", summary: "Answers without keys, whatever the signature is."),
        Setting(
            name: "key", summary: "Keys in hexadecimal digits, separated by commas.",
            isSecret: true,
            isList: true),
        Setting(
            name: "salt", summary: "Their salts, in the same order.", isSecret: true, isList: true),
        Setting(name: "signatureSize", summary: "The bytes of a signature, 1 to 32; 32."),
        Setting(
            name: "trustedSignatures", summary: "Texts that count as signatures.", isSecret: true,
            isList: true),
        Setting(name: "pathPrefix", summary: "What precedes the signature in every path."),
        Setting(
            name: "allowSource",
            summary: "The beginnings of addresses that are loaded; * is any but a slash.",
            isList: true),
        Setting(
            name: "allowPrivate",
            summary: "Loads from addresses of the local network and this machine, too."),
        Setting(name: "baseUrl", summary: "What is put before the address of a path."),
        Setting(
            name: "urlReplacements",
            summary: "What of addresses is replaced: EXPRESSION=TEXT, separated by semicolons."),
        Setting(name: "pushOnly", summary: "Opens no connections for sources."),
        Setting(
            name: "presets",
            summary: "Presets, each as name=option:…/option:…, separated by commas.", isList: true),
        Setting(name: "presetsFile", summary: "A file with a preset on each line."),
        Setting(name: "onlyPresets", summary: "Paths have names of presets in place of options."),
        Setting(
            name: "allowedOptions", summary: "The options that paths may have; all.", isList: true),
        Setting(name: "allowSecurityOptions", summary: "Paths may bound sources and results."),
        Setting(
            name: "allowOrigin",
            summary: "The origin whose pages may read answers by scripts, * for all; none."),
        Setting(name: "ttl", summary: "How many seconds results are kept; 31536000."),
        Setting(
            name: "staleTtl",
            summary: "How many seconds they may be used after that, if asked for again; 86400."),
        Setting(
            name: "maxAnimationFrames",
            summary: "The most frames of animations; all. 1 makes stills of them."),
        Setting(
            name: "maxSrcResolution",
            summary: "The most megapixels of a source; as many as decoders allow."),
        Setting(
            name: "maxSrcFileSize",
            summary: "The most bytes of a source; 100000000 from the network."),
        Setting(
            name: "maxResultDimension", summary: "The most pixels of a side of a result; 16384."),
        Setting(
            name: "videoSecond", summary: "The second of films that is shown; the best picture."),
        Setting(name: "avif", summary: "Whether clients that name AVIF get stills of it; true."),
        Setting(name: "webp", summary: "Whether clients that name WebP get it; true."),
        Setting(
            name: "sendSource",
            summary: "Whether the source is sent where the result has more bytes; true."),
        Setting(
            name: "watermark",
            summary: "The picture that wm draws: a file, or an http, https or data address."),
        Setting(
            name: "watermarkOpacity", summary: "How opaque it is where a path says 1, 0 to 1; 1."),
        Setting(name: "returnAttachment", summary: "Results are to be saved, not shown."),
        Setting(
            name: "uploadToken",
            summary: "What clients may have in place of a signature to send files.", isSecret: true),
        Setting(name: "uploadSize", summary: "The most bytes of a file that is sent; 200000000."),
        Setting(name: "workers", summary: "How many results are made at once; two for each core."),
        Setting(name: "queue", summary: "How many requests wait for that; four for each worker."),
        Setting(name: "timeout", summary: "After how many seconds a request gets 504; 10."),
        Setting(name: "grace", summary: "How many seconds a result is still made after that; 30."),
        Setting(name: "memory", summary: "The megabytes of memory for results and pictures; 256."),
        Setting(
            name: "cache",
            summary: "A folder for results and sources; results are in memory without it."),
        Setting(name: "cacheSize", summary: "The megabytes of results in it; 2048."),
        Setting(
            name: "cacheBucket", summary: "A bucket of S3 for results, which all servers share."),
        Setting(name: "cachePathPrefix", summary: "What precedes the names of results in it."),
        Setting(name: "useS3", summary: "Loads sources from buckets: s3://BUCKET/KEY."),
        Setting(
            name: "s3.endpoint",
            summary: "The address of S3; AWS_ENDPOINT_URL_S3, or that of AWS."),
        Setting(
            name: "s3.endpointUsePathStyle",
            summary: "Buckets are in the path of the endpoint, not in its host; true."),
        Setting(name: "s3.region", summary: "The region of buckets; AWS_REGION, or us-east-1."),
        Setting(
            name: "drainDelay", summary: "How many seconds requests are taken after SIGTERM; 5."),
        Setting(
            name: "drainTime", summary: "How many seconds requests in work have after that; 20."),
        Setting(
            name: "logLevel", summary: "What is logged: debug, info, notice, warning, error; info."),
    ]
}
