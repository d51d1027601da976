internal import FoundationEssentials
internal import LazyBase
internal import LazyMedia
internal import LazyPipeline

// The header fields of the answers to a job.
extension ServiceJob {
    /// The fields of a result.
    func fields(of head: RenditionTask.Head, _ format: ServiceFormat) -> [String: String] {
        var fields = fields(lifetime: head.cacheControl, ending: format.ending)
        fields["Content-Type"] = format == .vtt ? "text/vtt; charset=utf-8" : head.type.mimeType
        fields["ETag"] = head.tag?.description
        fields["Accept-Ranges"] = "bytes"
        return fields
    }

    /// The fields of every answer with bytes; `lifetime` is what is left of that of the source.
    func fields(lifetime known: String?, ending: String?) -> [String: String] {
        // A file has no age of its own.
        let isFile = source.url?.scheme == "local"
        var value = (isFile ? nil : known) ?? "public, max-age=\(configuration.lifetime)"
        if options.expiry > 0 {
            value = expiring(value)
        } else if configuration.staleLifetime > 0, value.contains("max-age") {
            value += ", stale-while-revalidate=\(configuration.staleLifetime)"
            value += ", stale-if-error=\(configuration.staleLifetime)"
        }
        return ["Cache-Control": value, "Content-Disposition": disposition(ending: ending)]
    }

    /// The same value, with no longer time than the address is right.
    private func expiring(_ value: String) -> String {
        let rest = max(0, options.expiry - seconds)
        guard let mark = value.firstRange(of: "max-age="), let age = Int(value[mark.upperBound...])
        else { return value }
        return value[..<mark.upperBound] + "\(min(age, rest))"
    }

    /// How long a result may be used after its source was fresh.
    ///
    /// None where the address is right until a time: no cache may have it for longer.
    var staleTime: Duration {
        options.expiry > 0 ? .zero : .seconds(configuration.staleLifetime)
    }

    /// The name of the file: that of the path, or that of the source with the extension of the result.
    private func disposition(ending: String?) -> String {
        let kind = options.isAttachment ?? configuration.isAttachment ? "attachment" : "inline"
        let name = fileName(ending: ending)
        let plain = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { scalar in
                    let isPlain = scalar.isASCII && scalar.value >= 32 && scalar.value != 127
                    return isPlain && !"\"\\/".unicodeScalars.contains(scalar) ? scalar : "_"
                }))
        guard plain != name else { return "\(kind); filename=\"\(plain)\"" }
        let encoded = PercentEncoding.encode(Array(name.utf8), allowed: "-._~")
        return "\(kind); filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }

    private func fileName(ending: String?) -> String {
        if let name = options.fileName, !name.isEmpty {
            return ending.map { "\(name).\($0)" } ?? name
        }
        let last = baseName
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex else {
            return ending.map { "\(last).\($0)" } ?? last
        }
        return ending.map { "\(last[..<dot]).\($0)" } ?? last
    }
}
