import FoundationEssentials
import Glibc
import LazyIsolation
import LazyKit
import LazyLoading
import LazyPipeline
import LazyService

extension Settings {
    /// The keys; throws where there are none and that is not asked for.
    func signature() throws -> URLSignature {
        let (keys, salts) = (list("key"), list("salt"))
        guard keys.count == salts.count else {
            throw Fault(description: "There are \(keys.count) keys and \(salts.count) salts.")
        }
        let pairs = try zip(keys, salts).map { key, salt in
            guard let pair = URLSignature.Pair(key: key, salt: salt) else {
                throw Fault(description: "Keys and salts are hexadecimal digits, two a byte.")
            }
            return pair
        }
        guard try !pairs.isEmpty || flag("unsafe") else {
            throw Fault(
                description:
                    "There is no key: set --key and --salt, or --unsafe to answer everybody.")
        }
        return URLSignature(
            pairs: pairs, byteCount: try count("signatureSize") ?? 32,
            trusted: Set(list("trustedSignatures")))
    }

    /// What the service answers.
    func service() async throws -> ServiceConfiguration {
        var service = ServiceConfiguration()
        service.signature = try signature()
        service.pathPrefix = try prefix()
        service.lifetime = try count("ttl") ?? service.lifetime
        service.staleLifetime = try count("staleTtl") ?? service.staleLifetime
        service.running = try count("workers") ?? 2 * coreCount
        service.queued = try count("queue") ?? 4 * service.running
        service.deadline = .seconds(try number("timeout") ?? 10)
        service.grace = .seconds(try number("grace") ?? 30)
        service.isAttachment = try flag("returnAttachment")
        service.allowedOrigin = text("allowOrigin")
        service.loadsRemote = try !flag("pushOnly")
        service.loadsS3 = try flag("useS3")
        service.uploadToken = text("uploadToken")
        service.uploadBytes = try count("uploadSize") ?? service.uploadBytes
        service.allowedSources = list("allowSource")
        service.baseAddress = text("baseUrl") ?? ""
        service.allowsOnlyPresets = try flag("onlyPresets")
        let allowed = list("allowedOptions")
        if !allowed.isEmpty { service.allowedOptions = allowed }
        service.allowsBounds = try flag("allowSecurityOptions")
        service.animationFrames = try count("maxAnimationFrames")
        service.sourceMegapixels = try number("maxSrcResolution")
        service.sourceBytes = try count("maxSrcFileSize")
        service.longestSide = try count("maxResultDimension") ?? service.longestSide
        service.videoSecond = try number("videoSecond")
        service.prefersAVIF = try flag("avif", usual: true)
        service.prefersWebP = try flag("webp", usual: true)
        service.sendsSource = try flag("sendSource", usual: true)
        for line in try presetLines() { try service.addPreset(line) }
        for rule in replacements() { try service.addReplacement(of: rule.pattern, by: rule.text) }
        service.setWatermark(
            try await watermark(), opacity: try number("watermarkOpacity") ?? 1)
        return service
    }

    /// Rules of addresses; an expression writes an equals sign as `\\x3D`.
    private func replacements() -> [(pattern: String, text: String)] {
        (text("urlReplacements") ?? "").split(separator: ";").map { rule in
            let parts = rule.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    /// The picture of watermarks, which is the operator's own: it is loaded from anywhere and decoded here.
    private func watermark() async throws -> Bitmap? {
        guard let place = text("watermark"), !place.isEmpty else { return nil }
        let isAddress = ["http://", "https://", "data:"].contains { place.hasPrefix($0) }
        guard let url = isAddress ? URL(string: place) : URL(filePath: place) else {
            throw Fault(
                description: "The watermark \(place.withoutSecrets.prefix(80)) is no address.")
        }
        do {
            return try await ImagePipeline(configuration: .inMemory).image(for: url)
        } catch {
            var reason = "\(error)"
            if let query = url.query(percentEncoded: true), !query.isEmpty {
                reason = reason.replacing(query, with: "***")
            }
            throw Fault(description: "The watermark cannot be read: \(reason)")
        }
    }

    /// What precedes the signature of every path.
    func prefix() throws -> String {
        var prefix = text("pathPrefix") ?? ""
        while prefix.hasSuffix("/") { prefix.removeLast() }
        return prefix.isEmpty || prefix.hasPrefix("/") ? prefix : "/" + prefix
    }

    private func presetLines() throws -> [String] {
        var lines = list("presets")
        if let file = text("presetsFile") {
            let data = try Data(contentsOf: URL(filePath: file))
            lines += String(decoding: data, as: UTF8.self).split(separator: "\n").map { String($0) }
        }
        return lines
    }

    /// How media is decoded: by this program, and not by one that others share.
    static var isolation: IsolationPolicy {
        get throws {
            var isolation = IsolationPolicy.server
            isolation.program = try DecoderHost.programPath()
            return isolation
        }
    }

    /// The pipeline that loads, decodes in the processes of a host, makes and stores.
    func pipeline(
        _ service: ServiceConfiguration, decodedBy decoders: DecoderHost
    ) throws -> ImagePipeline {
        let memory = (try count("memory") ?? 256) << 20
        let addresses: HTTPLoader.Configuration.AddressPolicy =
            try flag("allowPrivate") ? .any : .publicOnly
        var pipeline = ImagePipeline.Configuration.server(limit: memory, addresses: addresses)
        pipeline.decoders = .standard.isolated(by: decoders)
        let folder = text("cache")
        var http = HTTPLoader.Configuration()
        http.addressPolicy = addresses
        // Each redirect leads to an address that is allowed as well.
        http.allowsAddress = { service.allows($0.absoluteString) }
        let store = StandardLoader.httpStore(in: folder ?? CacheFolder.standard)
        pipeline.dataLoader = StandardLoader.make(
            store: store, isShared: true, http: http,
            staleIfError: .seconds(service.staleLifetime))
        pipeline.remoteOpener = RangeOpener(loader: pipeline.dataLoader)
        if let bytes = service.sourceBytes, bytes > 0 { pipeline.maximumResponseDataSize = bytes }
        let shared = try text("cacheBucket").map { bucket in
            try storage.results(in: bucket, prefix: text("cachePathPrefix") ?? "")
        }
        if let folder {
            let size = (try count("cacheSize") ?? 2048) << 20
            pipeline.storeRenditions(
                in: try DataCache(folder: folder + "/results", sizeLimit: size), before: shared)
        } else if let shared {
            pipeline.renditionStore = shared
        }
        if service.loadsS3 {
            pipeline.dataLoader = try storage.loader(store: store, next: pipeline.dataLoader)
            pipeline.remoteOpener = RangeOpener(loader: pipeline.dataLoader)
        }
        if let root = text("root") {
            pipeline.dataLoader = try RootFolder(root, next: pipeline.dataLoader)
        }
        pipeline.renderingLimit = service.running
        return ImagePipeline(configuration: pipeline)
    }

    /// The buckets for sources and results.
    private var storage: S3Storage {
        get throws {
            let endpoint = text("s3.endpoint")
            let usesPathStyle = try flag("s3.endpointUsePathStyle", usual: true)
            return S3Storage(
                endpoint: endpoint, region: text("s3.region"),
                usesPathStyle: endpoint == nil ? nil : usesPathStyle)
        }
    }

    /// The most connections of clients: half of the files that may be open, so that probes, sources and decoders have some.
    static var mostConnections: Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return 512 }
        return max(16, Int(clamping: min(limit.rlim_cur, 1 << 17) / 2))
    }

    private var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
