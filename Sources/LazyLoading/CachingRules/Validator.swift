internal import LazyBytes

/// What tells one version of a resource from another (RFC 9110, 8.8).
public struct Validator: Hashable, Sendable {
    /// The entity tag as it was sent, or nil.
    public let entityTag: String?
    /// The date of the last change as it was sent, or nil.
    public let lastModified: String?
    private let isDateStrong: Bool

    /// Reads the validators of an answer.
    public init(_ headers: HTTPHeaders) {
        entityTag = headers.values(of: "ETag").first.flatMap { Self.isEntityTag($0) ? $0 : nil }
        lastModified = headers.values(of: "Last-Modified").first.flatMap { $0.isEmpty ? nil : $0 }
        // RFC 9110, 8.8.2.2: a date is strong if the answer was made a second later at least.
        let changed = lastModified.flatMap { HTTPDate.parse($0) }
        let sent = headers["Date"].flatMap { HTTPDate.parse($0) }
        isDateStrong =
            changed.flatMap { changed in sent.map { $0 - changed >= .seconds(1) } } ?? false
    }

    /// Whether there is none.
    public var isEmpty: Bool { entityTag == nil && lastModified == nil }

    /// The fields that ask whether anything has changed (RFC 9110, 13.1.2 and 13.1.3).
    public var conditions: HTTPHeaders {
        var headers = HTTPHeaders()
        headers["If-None-Match"] = entityTag
        headers["If-Modified-Since"] = lastModified
        return headers
    }

    /// The value of `If-Range`, or nil without a strong validator (RFC 9110, 13.1.5).
    ///
    /// A date is only used where there is no entity tag, and where it is strong.
    public var ifRange: String? {
        if let entityTag { return Self.isWeak(entityTag) ? nil : entityTag }
        return isDateStrong ? lastModified : nil
    }

    /// Whether an answer to a conditional request may be of another version than this one.
    ///
    /// What the answer does not tell counts as the same; entity tags are compared weakly.
    public func isContradicted(by other: Validator) -> Bool {
        if let entityTag, let tag = other.entityTag {
            return Self.opaque(entityTag) != Self.opaque(tag)
        }
        if let lastModified, let date = other.lastModified, entityTag == nil {
            return lastModified != date
        }
        return false
    }

    /// Whether an answer is surely of this very version: the same strong validator.
    public func isSameVersion(as other: Validator) -> Bool {
        guard let ifRange else { return false }
        return entityTag != nil ? other.entityTag == ifRange : other.lastModified == ifRange
    }

    private static func isWeak(_ tag: String) -> Bool { tag.hasPrefix("W/") }

    private static func opaque(_ tag: String) -> Substring {
        isWeak(tag) ? tag.dropFirst(2) : tag[...]
    }

    // Some servers forget the quotes; such a tag is compared as it stands.
    private static func isEntityTag(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x21 && $0 != 0x7F }
    }
}
