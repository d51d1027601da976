/// The directives of `Cache-Control`, of a request or an answer (RFC 9111, 5.2; RFC 5861; RFC 8246).
///
/// Names are compared without regard to case; of a directive that stands twice the first counts;
/// unknown ones are passed over.
public struct CacheControl: Hashable, Sendable {
    private var values: [String: String?] = [:]

    /// Reads the directives of some header fields; `Pragma: no-cache` counts where there are none.
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

    /// Reads the directives of a value of the field.
    public init(_ text: String) { self.init(["Cache-Control": text]) }

    /// Whether a directive is there, with or without a value.
    public func contains(_ name: String) -> Bool { values[name] != nil }

    /// The seconds that a directive names; nil where it is not there or names none.
    public func seconds(_ name: String) -> Int? {
        guard let value = values[name] ?? nil else { return nil }
        return Self.seconds(value)
    }

    /// Nothing of this is to be kept.
    public var isNoStore: Bool { contains("no-store") }
    /// What is stored is to be validated before each use.
    ///
    /// Also where only some fields are named: that is the careful reading.
    public var isNoCache: Bool { contains("no-cache") }
    /// What is stale is not to be used without validation.
    public var isMustRevalidate: Bool { contains("must-revalidate") }
    /// What is fresh does not change, so that even a reload need not ask.
    public var isImmutable: Bool { contains("immutable") }
    /// Only what is stored is wanted.
    public var isOnlyIfCached: Bool { contains("only-if-cached") }
    /// The answer may be reckoned fresh by heuristics whatever its status.
    public var isPublic: Bool { contains("public") }

    /// The answer is for one person; also where only some fields are named.
    public var isPrivate: Bool { contains("private") }
    /// A shared cache may keep the answer although its request had credentials (RFC 9111, 3.5).
    public var allowsSharing: Bool { isPublic || isMustRevalidate || contains("s-maxage") }

    /// The `s-maxage`, for shared caches, which is 0 where it is there and names no number.
    public var sharedMaxAge: Int? { contains("s-maxage") ? seconds("s-maxage") ?? 0 : nil }
    /// The `max-age`, which is 0 where it is there and names no number (RFC 9111, 4.2.1).
    public var maxAge: Int? { contains("max-age") ? seconds("max-age") ?? 0 : nil }
    /// How long the answer asked for has to stay fresh.
    public var minFresh: Int? { seconds("min-fresh") }
    /// How stale the answer asked for may be; without a number it may be of any age.
    public var maxStale: Int? {
        guard let value = values["max-stale"] else { return nil }
        guard let value else { return .max }
        return Self.seconds(value)
    }
    /// How long a stale answer may be used while it is being validated.
    public var staleWhileRevalidate: Int? { seconds("stale-while-revalidate") }
    /// How long a stale answer may be used where the server cannot be asked.
    public var staleIfError: Int? { seconds("stale-if-error") }

    // RFC 9111, 1.2.2: what does not fit counts as 2^31.
    static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int(text) ?? .max, 1 << 31)
    }
}
