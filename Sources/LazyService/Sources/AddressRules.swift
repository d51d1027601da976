internal import FoundationEssentials
internal import LazyBase

/// Which addresses of sources a service loads, and what they stand for.
struct AddressRules: Hashable, Sendable {
    /// What is put before an address, for paths that have its end only.
    var base = ""
    /// Expressions and what replaces what they match, `${1}` for a group; each counts after the one before.
    var replacements: [Replacement] = []
    /// Beginnings of addresses, in which a star is any characters but slashes; empty for all.
    var allowed: [String] = []
    /// The schemes of addresses; `upload` is the file that comes with a request, `s3` an object where there are buckets.
    var schemes: Set<String> = ["http", "https", "local", "upload"]

    struct Replacement: Hashable, Sendable {
        let pattern: String
        let text: String
    }

    /// The whole address of what a path names.
    func whole(_ address: String) throws(ServiceError) -> String {
        var address = base + address
        for replacement in replacements { address = try replacement.applied(to: address) }
        return address
    }

    /// Throws 404 where an address is not to be loaded.
    func check(_ address: String) throws(ServiceError) {
        // What a server makes of them may lie outside of what is allowed, and one file would have many addresses.
        guard !Self.hasDotSegments(address) else {
            throw ServiceError(404, "The path of a source has no segments of dots.")
        }
        guard allowed.isEmpty || allowed.contains(where: { Self.begins(address, with: $0) }) else {
            throw ServiceError(404, "The source is not allowed.")
        }
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard schemes.contains(scheme), address.utf8.count > scheme.utf8.count else {
            throw ServiceError(404, "Sources are not loaded by \(scheme.prefix(16)):.")
        }
    }

    /// Whether a segment of a path is `.` or `..`, also as `%2e`, or there are none before a slash of a local one.
    private static func hasDotSegments(_ address: String) -> Bool {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        return path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains { segment in
            let plain = segment.lowercased().replacing("%2e", with: ".")
            return plain == "." || plain == ".."
        }
    }

    /// The URL of an address.
    func url(of address: String) throws(ServiceError) -> URL {
        try check(address)
        var text = address
        if let object = S3Address.url(of: address) {
            text = object
        } else if let path = Self.path(of: address) {
            // One file has one address, by which it is removed.
            let path = path.split(separator: "/").joined(separator: "/")
            text = "local:///" + PercentEncoding.encode(Array(path.utf8), allowed: "/-._~")
        }
        guard let url = URL(string: text), url.scheme != nil else {
            throw ServiceError(404, "The source is no URL.")
        }
        // Who asks must not say who the service is.
        guard url.user() == nil, url.password() == nil else {
            throw ServiceError(404, "A source has no credentials.")
        }
        return url
    }

    /// The path of a local address below the root.
    static func path(of address: String) -> Substring? {
        guard address.lowercased().hasPrefix("local:") else { return nil }
        return address.dropFirst("local:".count).drop { $0 == "/" }
    }

    static func begins(_ address: String, with pattern: String) -> Bool {
        matches(Array(address.utf8)[...], Array(pattern.utf8)[...])
    }

    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        // A star is tried at the last place where it may end: patterns have few of them.
        guard let first = pattern.first else { return true }
        let rest = pattern.dropFirst()
        guard first == UInt8(ascii: "*") else {
            return text.first == first && matches(text.dropFirst(), rest)
        }
        var tail = text
        while true {
            if matches(tail, rest) { return true }
            guard let next = tail.first, next != UInt8(ascii: "/") else { return false }
            tail = tail.dropFirst()
        }
    }
}

extension AddressRules.Replacement {
    /// Throws where the pattern is no expression, so that it is told before there are requests.
    init(of pattern: String, by text: String) throws(ServiceError) {
        self.init(pattern: pattern, text: text)
        _ = try regex
    }

    private var regex: Regex<AnyRegexOutput> {
        get throws(ServiceError) {
            do { return try Regex(pattern) } catch {
                throw ServiceError(500, "The pattern \(pattern) is not an expression: \(error)")
            }
        }
    }

    fileprivate func applied(to address: String) throws(ServiceError) -> String {
        let regex = try regex
        return address.replacing(regex) { match in
            var text = self.text
            for number in 0..<match.output.count {
                text = text.replacing("${\(number)}", with: match.output[number].substring ?? "")
            }
            return text
        }
    }
}
