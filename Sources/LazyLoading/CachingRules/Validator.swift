internal import LazyBase

/// The validators of a version of a resource (RFC 9110, 8.8).
public struct Validator: Hashable, Sendable {
    /// The entity tag, or nil.
    public let entityTag: String?
    /// The date of the last change, unparsed, or nil.
    public let lastModified: String?
    private let isDateStrong: Bool

    /// Reads the validators of a response.
    public init(_ headers: HTTPHeaders) {
        entityTag = headers.values(of: "ETag").first.flatMap { Self.isEntityTag($0) ? $0 : nil }
        lastModified = headers.values(of: "Last-Modified").first.flatMap { $0.isEmpty ? nil : $0 }
        // RFC 9110, 8.8.2.2: a date is strong if the response was created at least a second later.
        let changed = lastModified.flatMap { HTTPDate.parse($0) }
        let sent = headers["Date"].flatMap { HTTPDate.parse($0) }
        isDateStrong =
            changed.flatMap { changed in sent.map { $0 - changed >= .seconds(1) } } ?? false
    }

    /// Whether there are none.
    public var isEmpty: Bool { entityTag == nil && lastModified == nil }

    /// The fields of a conditional request (RFC 9110, 13.1.2 and 13.1.3).
    public var conditions: HTTPHeaders {
        var headers = HTTPHeaders()
        headers["If-None-Match"] = entityTag
        headers["If-Modified-Since"] = lastModified
        return headers
    }

    /// The value of `If-Range`, or nil without a strong validator (RFC 9110, 13.1.5).
    ///
    /// A date is only used if it is strong and there is no entity tag.
    public var ifRange: String? {
        if let entityTag { return Self.isWeak(entityTag) ? nil : entityTag }
        return isDateStrong ? lastModified : nil
    }

    /// Whether a response to a conditional request is of another version.
    ///
    /// Missing validators count as equal; entity tags are compared weakly.
    public func isContradicted(by other: Validator) -> Bool {
        if let entityTag, let tag = other.entityTag {
            return Self.opaque(entityTag) != Self.opaque(tag)
        }
        if let lastModified, let date = other.lastModified, entityTag == nil {
            return lastModified != date
        }
        return false
    }

    /// Whether a response is certainly of the same version: the same strong validator.
    public func isSameVersion(as other: Validator) -> Bool {
        guard let ifRange else { return false }
        return entityTag != nil ? other.entityTag == ifRange : other.lastModified == ifRange
    }

    private static func isWeak(_ tag: String) -> Bool { tag.hasPrefix("W/") }

    private static func opaque(_ tag: String) -> Substring {
        isWeak(tag) ? tag.dropFirst(2) : tag[...]
    }

    // Some servers omit the quotes; such a tag is compared as it is.
    private static func isEntityTag(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x21 && $0 != 0x7F }
    }
}
