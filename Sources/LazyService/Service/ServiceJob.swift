internal import FoundationEssentials
internal import LazyPipeline

/// What a request asks for, after its signature was found to be right.
struct ServiceJob: Sendable {
    let options: ServiceOptions
    /// What is loaded.
    let source: ImageRequest
    /// What the client shows.
    let accepts: Negotiation
    /// Whether that counts.
    let isNegotiated: Bool
    let configuration: ServiceConfiguration
    /// Seconds since 1970 when it began.
    var seconds: Int
    /// The number of changes of the configuration before it was read; nil where that does not count.
    var version: Int?
    /// The name of the source, with its extension.
    let baseName: String
    /// Whether the size of the picture is told in fields of its own.
    let tellsSize: Bool
    /// The path, with which others are made that belong to it; nil without one.
    private let path: ServicePath?

    init(
        options: ServiceOptions, source: ImageRequest, accept: String? = nil,
        _ configuration: ServiceConfiguration, seconds: Int, path: ServicePath? = nil,
        tellsSize: Bool = false
    ) {
        let rules = configuration.rules
        let isOpen = options.format == nil && !options.isRaw
        isNegotiated = isOpen && (rules.prefersAVIF || rules.prefersWebP)
        accepts = isNegotiated ? Negotiation(accept: accept) : .none
        (self.options, self.source) = (options, source)
        (self.configuration, self.seconds) = (configuration, seconds)
        (self.path, self.tellsSize) = (path, tellsSize)
        let file = source.url?.path(percentEncoded: false).split(separator: "/").last
        baseName = file.map { String($0) } ?? "image"
    }

    /// Reads the path of a request; throws 403 for a wrong signature, and 404 for what no path says.
    init(
        _ request: ServiceRequest, file: UploadedFile?, _ configuration: ServiceConfiguration,
        seconds: Int
    ) throws(ServiceError) {
        var target = request.target
        let info = configuration.pathPrefix + "/info/"
        let isInfo = target.hasPrefix(info)
        if isInfo { target = String(target.dropFirst(info.count - 1)) }
        let path = try ServicePath(
            target: target, prefix: isInfo ? "" : configuration.pathPrefix)
        let isTrusted =
            file != nil && configuration.uploadToken != nil
            && configuration.allowsUpload(by: request.bearer)
        guard isTrusted || configuration.signature.allows(path.signature, for: path.signed) else {
            throw ServiceError(403, "The signature is wrong.")
        }
        var (options, text) = try configuration.options.read(path.path)
        guard options.expiry <= 0 || options.expiry > seconds else {
            throw ServiceError(404, "The address has expired.")
        }
        if isInfo { options.format = .json }
        let url = try configuration.addresses.url(
            of: configuration.addresses.whole(text.address))
        guard configuration.allows(url.absoluteString) else {
            throw ServiceError(404, "Sources are not loaded by \(url.scheme ?? "").")
        }
        guard (url.scheme == "upload") == (file != nil) else {
            throw ServiceError(404, "Files are sent by POST, for a source such as upload:name.jpg.")
        }
        var source =
            file.map { Self.source(of: $0, name: url.absoluteString) } ?? ImageRequest(url: url)
        // Removed with the source, whose name is that of all its variants.
        if !options.cacheBuster.isEmpty { source.variant += "\n" + options.cacheBuster }
        self.init(
            options: options, source: source, accept: request.fields["accept"],
            configuration, seconds: seconds, path: path)
    }

    /// The target that asks for a page of the sheet whose tiles this job lists, with a signature of its own.
    func target(ofPage number: Int) -> String {
        guard let path else { return "" }
        var text = path.path
        // The extension counts, whatever an option says of the format.
        let mark = text.hasPrefix("plain/") || text.contains("/plain/") ? "@" : "."
        if text.lowercased().hasSuffix(mark + "vtt") { text.removeLast(4) }
        if text.hasSuffix(mark) { text.removeLast() }
        text += mark + "jpg"
        if number > 0 { text = "pg:\(number)/" + text }
        let signature = configuration.signature
        let signed = signature.signed("/" + text) ?? "/\(path.signature)/\(text)"
        return configuration.pathPrefix + signed
    }
}

extension ServiceRequest {
    /// The token of the field `Authorization`.
    fileprivate var bearer: String? {
        guard let field = fields["authorization"], field.lowercased().hasPrefix("bearer ") else {
            return nil
        }
        return String(field.dropFirst("bearer ".count))
    }
}
