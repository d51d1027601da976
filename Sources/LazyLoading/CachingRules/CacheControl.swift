/// The directives of `Cache-Control` in a request or response (RFC 9111, 5.2; RFC 5861; RFC 8246).
///
/// Names are case-insensitive; of duplicate directives the first counts; unknown ones are ignored.
public struct CacheControl: Hashable, Sendable {
    private var values: [String: String?] = [:]

    /// Parses header fields; without the field, `Pragma: no-cache` counts.
    public init(_ headers: HTTPHeaders) {
        guard let text = headers["Cache-Control"] else {
            let pragmas = headers["Pragma"]?.fieldMembers ?? []
            if pragmas.contains(where: { $0.isSameField(as: "no-cache") }) {
                values["no-cache"] = .some(nil)
            }
            return
        }
        for member in text.fieldMembers {
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0]).trimmed.lowercased()
            guard values[name] == nil else { continue }
            values[name] = .some(parts.count == 2 ? String(parts[1]).trimmed.unquoted : nil)
        }
    }

    /// Parses a value of the field.
    public init(_ text: String) { self.init(["Cache-Control": text]) }

    /// Whether a directive is present, with or without a value.
    public func contains(_ name: String) -> Bool { values[name] != nil }

    /// The value of a directive in seconds; nil if it is missing or malformed.
    public func seconds(_ name: String) -> Int? {
        guard let value = values[name] ?? nil else { return nil }
        return Self.seconds(value)
    }

    /// Nothing may be stored.
    public var isNoStore: Bool { contains("no-store") }
    /// A stored response must be validated before each use.
    ///
    /// Also if only some fields are named, as the cautious interpretation.
    public var isNoCache: Bool { contains("no-cache") }
    /// A stale response must be validated.
    public var isMustRevalidate: Bool { contains("must-revalidate") }
    /// A stale response must be validated by a shared cache (RFC 9111, 5.2.2.8 and 5.2.2.10).
    package var forbidsStaleUse: Bool {
        isNoStore || isNoCache || isMustRevalidate || contains("proxy-revalidate")
            || contains("s-maxage")
    }
    /// A fresh response does not change, so that it is not validated on reload.
    public var isImmutable: Bool { contains("immutable") }
    /// Only a stored response is wanted.
    public var isOnlyIfCached: Bool { contains("only-if-cached") }
    /// Heuristic freshness is allowed for any status.
    public var isPublic: Bool { contains("public") }

    /// The response is for a single user; also if only some fields are named.
    public var isPrivate: Bool { contains("private") }
    /// A shared cache may store the response to a request with credentials (RFC 9111, 3.5).
    public var allowsSharing: Bool { isPublic || isMustRevalidate || contains("s-maxage") }

    /// The `s-maxage` of shared caches; 0 if it is malformed.
    public var sharedMaxAge: Int? { contains("s-maxage") ? seconds("s-maxage") ?? 0 : nil }
    /// The `max-age`; 0 if it is malformed (RFC 9111, 4.2.1).
    public var maxAge: Int? { contains("max-age") ? seconds("max-age") ?? 0 : nil }
    /// The minimum remaining freshness of an acceptable response.
    public var minFresh: Int? { seconds("min-fresh") }
    /// The maximum staleness of an acceptable response; unlimited without a number.
    public var maxStale: Int? {
        guard let value = values["max-stale"] else { return nil }
        guard let value else { return .max }
        return Self.seconds(value)
    }
    /// How long a stale response may be used while it is being validated.
    public var staleWhileRevalidate: Int? { seconds("stale-while-revalidate") }
    /// How long a stale response may be used if the server fails.
    public var staleIfError: Int? { seconds("stale-if-error") }

    // RFC 9111, 1.2.2: larger values count as 2^31.
    static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int(text) ?? .max, 1 << 31)
    }
}
