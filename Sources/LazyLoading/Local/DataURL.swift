internal import LazyBase

/// The contents of a `data:` URL: bytes and their media type (RFC 2397).
public struct DataURL: Hashable, Sendable {
    /// The media type with its parameters, such as `text/plain;charset=UTF-8`, or nil.
    public let mediaType: String?
    /// The bytes.
    public let bytes: [UInt8]

    /// Parses a URL; nil if its scheme is not `data:`.
    ///
    /// Accepts Base64 of either alphabet, with white space, without padding, and percent-encoded.
    /// Throws `.badAddress` if the URL is malformed.
    public init?(_ text: String) throws(LoadingError) {
        guard let rest = text.afterScheme("data") else { return nil }
        guard let comma = rest.utf8.firstIndex(of: UInt8(ascii: ",")) else {
            throw LoadingError(.badAddress, "The data: URL has no comma before its data.")
        }
        var parameters = rest[..<comma].split(separator: ";", omittingEmptySubsequences: false)
        let isBase64 =
            parameters.dropFirst().last.map { String($0).trimmed.isSameField(as: "base64") }
            ?? false
        if isBase64 { parameters.removeLast() }
        guard
            let decoded = PercentEncoding.decode(
                rest[rest.utf8.index(after: comma)...])
        else {
            throw LoadingError(.badAddress, "The data: URL has a '%' without two digits.")
        }
        if isBase64 {
            guard let unpacked = Base64.decode(decoded) else {
                throw LoadingError(.badAddress, "The data: URL does not contain Base64.")
            }
            bytes = unpacked
        } else {
            bytes = decoded
        }
        mediaType = Self.mediaType(of: parameters.map { String($0).trimmed })
    }

    /// Makes a URL of bytes, for use in a page or in JSON.
    public init(mediaType: String?, bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
    }

    /// The URL, with the bytes in Base64.
    public var text: String { "data:\(mediaType ?? "");base64,\(Base64.encode(bytes))" }

    /// The character set in lower case, or nil.
    public var charset: String? {
        let parameters = mediaType?.split(separator: ";").dropFirst() ?? []
        for parameter in parameters {
            let pair = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            if pair.count == 2, pair[0].isSameField(as: "charset") { return pair[1].lowercased() }
        }
        return nil
    }

    // RFC 2397, 2: the default type is text/plain, and may be followed by a charset.
    private static func mediaType(of parts: [String]) -> String? {
        let parts = parts.compactMap { PercentEncoding.decode($0) }
            .map { String(decoding: $0, as: UTF8.self) }
        let parameters = parts.dropFirst().filter { !$0.isEmpty }
        guard let type = parts.first, !(type.isEmpty && parameters.isEmpty) else { return nil }
        return ([type.isEmpty ? "text/plain" : type] + parameters).joined(separator: ";")
    }
}

extension String {
    /// The text after a scheme, which is compared without regard to case, or nil.
    func afterScheme(_ scheme: String) -> Substring? {
        guard utf8.count > scheme.utf8.count,
            String(decoding: utf8.prefix(scheme.utf8.count), as: UTF8.self).isSameField(as: scheme),
            utf8.dropFirst(scheme.utf8.count).first == UInt8(ascii: ":")
        else { return nil }
        return self[utf8.index(startIndex, offsetBy: scheme.utf8.count + 1)...]
    }
}
