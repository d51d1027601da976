internal import LazyBase
internal import LazyPipeline

extension ServiceResponse {
    /// The bytes of a result, or the part of them that a request asks for.
    init(
        _ response: RenditionTask.Response, fields: [String: String], to request: ServiceRequest
    ) {
        let part = request.fields["range"].flatMap {
            response.part(ofRange: $0, ifRange: request.fields["if-range"])
        }
        self.init(response.body, part, fields)
    }

    /// Bytes, or a part of them: nil for all, an empty one where there is no such part.
    private init(_ body: Blob, _ part: Range<Int>?, _ known: [String: String]) {
        let count = body.count
        var fields = known
        guard let part else {
            let pieces = RenditionTask.Pieces(body: body, range: 0..<count)
            self.init(status: 200, fields: fields, body: .pieces(pieces), length: count)
            return
        }
        guard !part.isEmpty else {
            (fields["Content-Type"], fields["Cache-Control"]) = (nil, "no-cache")
            fields["Content-Range"] = "bytes */\(count)"
            self.init(status: 416, fields: fields, length: 0)
            return
        }
        fields["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
        let pieces = RenditionTask.Pieces(body: body, range: part)
        self.init(status: 206, fields: fields, body: .pieces(pieces), length: part.count)
    }

    /// A tag without its mark of weakness: those of two requests are compared so (RFC 9110, 13.1.2).
    private static func opaque(_ tag: some StringProtocol) -> Substring {
        tag.hasPrefix("W/") ? Substring(tag.dropFirst(2)) : Substring(tag)
    }

    /// The bytes of a source, the part of them that a request asks for, or 304 for a client that has them.
    init(
        source: Blob, type: String, tag: String?, _ known: [String: String],
        to request: ServiceRequest
    ) {
        var fields = known
        fields["Content-Type"] = type
        fields["ETag"] = tag
        // Parts of two versions are not to be put together.
        let hasParts = tag.map { !$0.hasPrefix("W/") } ?? false
        if hasParts { fields["Accept-Ranges"] = "bytes" }
        if let tag, let field = request.fields["if-none-match"],
            field.split(separator: ",").contains(where: { member in
                let name = member.filter { $0 != " " && $0 != "\t" }
                return name == "*" || Self.opaque(name) == Self.opaque(tag[...])
            })
        {
            self.init(status: 304, fields: fields)
        } else {
            let isSame = request.fields["if-range"].map { $0 == tag } ?? true
            let field = hasParts && isSame ? request.fields["range"] : nil
            self.init(
                source,
                field.flatMap { RenditionTask.Response.part(ofRange: $0, of: source.count) },
                fields)
        }
        origin = "source"
    }
}
