internal import LazyBase
internal import LazyPipeline

extension ServiceResponse {
    /// The bytes of a result, or the part of them that a request asks for.
    init(
        _ response: RenditionTask.Response, fields: [String: String], to request: ServiceRequest
    ) {
        let count = response.body.count
        guard let field = request.fields["range"],
            let range = response.part(ofRange: field, ifRange: request.fields["if-range"])
        else {
            self.init(status: 200, fields: fields, body: .pieces(response.pieces), length: count)
            return
        }
        var fields = fields
        guard !range.isEmpty else {
            (fields["Content-Type"], fields["Cache-Control"]) = (nil, "no-cache")
            fields["Content-Range"] = "bytes */\(count)"
            self.init(status: 416, fields: fields, length: 0)
            return
        }
        fields["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
        self.init(
            status: 206, fields: fields, body: .pieces(response.pieces(of: range)),
            length: range.count)
    }

    /// A tag without its mark of weakness: those of two requests are compared so (RFC 9110, 13.1.2).
    private static func opaque(_ tag: some StringProtocol) -> Substring {
        tag.hasPrefix("W/") ? Substring(tag.dropFirst(2)) : Substring(tag)
    }

    /// The bytes of a source, or 304 for a client that has them.
    init(
        source: Blob, type: String, tag: String?, _ known: [String: String],
        to request: ServiceRequest
    ) {
        var fields = known
        fields["Content-Type"] = type
        fields["ETag"] = tag
        if let tag, let field = request.fields["if-none-match"],
            field.split(separator: ",").contains(where: { member in
                let name = member.filter { $0 != " " && $0 != "\t" }
                return name == "*" || Self.opaque(name) == Self.opaque(tag[...])
            })
        {
            self.init(status: 304, fields: fields)
        } else {
            self.init(
                status: 200, fields: fields,
                body: .pieces(RenditionTask.Pieces(body: source, range: 0..<source.count)),
                length: source.count)
        }
        origin = "source"
    }
}
