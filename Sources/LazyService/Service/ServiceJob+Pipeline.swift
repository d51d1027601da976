internal import LazyBase
internal import LazyEditing
internal import LazyPipeline

// Uploads, and the one path of another service that file managers use for previews of their files.
extension ServiceJob {
    /// The source of an uploaded file: equal bytes of one name are one source, which the name removes.
    static func source(of file: UploadedFile, name: String) -> ImageRequest {
        let (digest, blob) = file.finish()
        var source = ImageRequest(id: name, data: { blob })
        source.variant = digest
        return source
    }

    /// What a request for `/pipeline` asks for: operations as JSON in its query.
    ///
    /// Pictures are upright in any case, and never enlarged.
    init(
        pipeline request: ServiceRequest, file: UploadedFile, _ configuration: ServiceConfiguration,
        seconds: Int
    ) throws(ServiceError) {
        let query = Self.query(of: request.target)
        guard configuration.allowsUpload(by: query["key"]) else {
            throw ServiceError(401, "The key is wrong.")
        }
        guard
            case .array(let operations)? = JSONValue(
                reading: Array((query["operations"] ?? "").utf8)),
            (1...10).contains(operations.count)
        else { throw ServiceError(400, "The query has no list of operations.") }
        var options = ServiceOptions()
        // A preview is one picture.
        options.isStill = true
        for operation in operations { try options.apply(operation) }
        self.init(
            options: options, source: Self.source(of: file, name: "upload:"), configuration,
            seconds: seconds,
            tellsSize: true)
    }

    private static func query(of target: String) -> [String: String] {
        var values: [String: String] = [:]
        guard let mark = target.firstIndex(of: "?") else { return values }
        for pair in target[target.index(after: mark)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { part in
                PercentEncoding.text(part.replacing("+", with: " ")) ?? ""
            }
            values[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        return values
    }
}

extension ServiceConfiguration {
    /// Whether a token is that of uploads; without one it does not matter where everybody may ask for everything.
    func allowsUpload(by token: String?) -> Bool {
        guard let uploadToken else { return signature.pairs.isEmpty }
        return HMAC.areEqual(Array((token ?? "").utf8), Array(uploadToken.utf8))
    }
}

extension ServiceOptions {
    /// Applies an operation of a pipeline; throws 400 for one that is not known.
    fileprivate mutating func apply(_ operation: JSONValue) throws(ServiceError) {
        guard case .object(let members) = operation,
            case .string(let name)? = members.first(where: { $0.0 == "operation" })?.1
        else { throw ServiceError(400, "An operation has a name.") }
        var values: [(String, JSONValue)] = []
        if case .object(let all)? = members.first(where: { $0.0 == "params" })?.1 { values = all }
        func text(_ name: String) -> String? {
            switch values.first(where: { $0.0 == name })?.1 {
            case .string(let text): text
            case .integer(let number): "\(number)"
            case .number(let number):
                Int(exactly: number.rounded(.down)).map { "\($0)" } ?? "\(number)"
            default: nil
            }
        }
        func side(_ name: String) throws(ServiceError) -> Int {
            guard let word = text(name) else { return 0 }
            guard let length = Int(word), (0...65_535).contains(length) else {
                throw ServiceError(400, "The \(name) \(word.prefix(20)) is no number of pixels.")
            }
            return length
        }
        switch name {
        case "autorotate": break
        case "convert": break
        case "fit", "smartcrop":
            (placement.width, placement.height) = (try side("width"), try side("height"))
            guard placement.width > 0 || placement.height > 0 else {
                throw ServiceError(400, "The operation \(name) has no size.")
            }
            placement.resizing = name == "fit" ? .fit : .fill
            if name == "smartcrop" { placement.anchor = .init(.attention) }
        default: throw ServiceError(400, "The operation \(name.prefix(40)) is not known.")
        }
        if let type = text("type") {
            guard let known = ServiceFormat(ending: type), known.still != nil else {
                throw ServiceError(400, "The type \(type.prefix(20)) is not written.")
            }
            format = known
        }
        if let word = text("quality"), let value = Int(word), (1...100).contains(value) {
            quality = value
        }
    }
}
