internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading

/// An object of S3: `s3://bucket/key`, and `?version` for one of its versions.
struct S3Address: Hashable, Sendable {
    let bucket: String
    let key: String
    /// The version; nil for the newest one.
    var version: String?

    init(bucket: String, key: String) { (self.bucket, self.key) = (bucket, key) }

    /// Reads a URL; throws where it names no object.
    init(_ url: URL) throws(LoadingError) {
        func fault(_ cause: String) -> LoadingError {
            LoadingError(.notFound, "\(url.shortLabel) \(cause).")
        }
        let rest = url.absoluteString.prefix { $0 != "#" }.dropFirst("s3://".count)
        let mark = rest.firstIndex(of: "?") ?? rest.endIndex
        let path = rest[..<mark]
        let slash = path.firstIndex(of: "/") ?? path.endIndex
        bucket = String(path[..<slash])
        guard Self.isBucket(bucket) else { throw fault("names no bucket") }
        guard let key = PercentEncoding.text(path[slash...].drop { $0 == "/" }), !key.isEmpty,
            key.utf8.count <= 1024
        else { throw fault("names no object") }
        // On their way, such names would become others.
        let isRelative = key.split(separator: "/").contains { $0 == "." || $0 == ".." }
        guard !isRelative, !key.utf8.contains(0) else { throw fault("is relative") }
        self.key = key
        let version = rest[mark...].dropFirst()
        if !version.isEmpty { self.version = PercentEncoding.text(version) }
    }

    /// Whether it is the name of a bucket, which is a part of names of hosts.
    static func isBucket(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isPlain && (1...255).contains(name.utf8.count) && name.first != "."
    }

    /// The URL of an address in a path, whose key is not encoded; nil for other addresses.
    static func url(of address: String) -> String? {
        guard address.lowercased().hasPrefix("s3://") else { return nil }
        let rest = address.dropFirst("s3://".count)
        let mark = rest.firstIndex(of: "?") ?? rest.endIndex
        let slash = rest[..<mark].firstIndex(of: "/") ?? mark
        func encoded(_ text: Substring, _ allowed: String) -> String {
            PercentEncoding.encode(Array(text.utf8), allowed: allowed)
        }
        let query = rest[mark...].dropFirst()
        return "s3://" + encoded(rest[..<slash], "-._~") + "/"
            + encoded(rest[slash..<mark].drop { $0 == "/" }, "/-._~")
            + (query.isEmpty ? "" : "?" + encoded(query, "-._~"))
    }
}

/// Where the buckets are.
struct S3Endpoint: Hashable, Sendable {
    /// The address that precedes buckets, without a slash at its end.
    let address: String
    /// Whether a bucket is the first part of the path, and not of the name of the host.
    let usesPathStyle: Bool

    /// The URL of an object, or of a bucket for an empty key; nil where the endpoint is no URL.
    func url(bucket: String, key: String, query: [(String, String)] = []) -> URL? {
        guard let start = address.firstRange(of: "://")?.upperBound else { return nil }
        func encoded(_ text: String, _ allowed: String = "-._~") -> String {
            PercentEncoding.encode(Array(text.utf8), allowed: allowed)
        }
        var text = address
        if usesPathStyle {
            text += "/" + bucket
        } else {
            text.insert(contentsOf: bucket + ".", at: start)
        }
        text += "/" + encoded(key, "/-._~")
        if usesPathStyle, key.isEmpty { text.removeLast() }
        let pairs = query.map { "\(encoded($0.0))=\(encoded($0.1))" }
        if !pairs.isEmpty { text += "?" + pairs.joined(separator: "&") }
        return URL(string: text)
    }
}
