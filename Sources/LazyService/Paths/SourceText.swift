internal import LazyBase
internal import LazyLoading

/// The source of a path: the address of media, and the extension of what is wanted.
struct SourceText: Equatable {
    /// The address, decoded.
    let address: String
    /// The extension; nil without one.
    let ending: String?

    /// Reads the parts behind the options; throws 404 for a malformed source.
    ///
    /// Where `endsWithFileName`, the last part of an encoded source is a name for people.
    init(_ parts: ArraySlice<Substring>, endsWithFileName: Bool = false) throws(ServiceError) {
        if parts.first == "plain", parts.count > 1 {
            let text = parts.dropFirst().joined(separator: "/")
            let (encoded, ending) = try Self.cut(text, at: "@")
            guard let address = PercentEncoding.text(encoded) else {
                throw ServiceError(404, "The source is not percent-encoded UTF-8.")
            }
            (self.address, self.ending) = (address, ending)
        } else {
            let parts = endsWithFileName && parts.count > 1 ? parts.dropLast() : parts
            let (encoded, ending) = try Self.cut(parts.joined(), at: ".")
            // The decoder ignores white space, of which there is none in a path.
            guard encoded.utf8.allSatisfy({ $0 > 32 }),
                let bytes = Base64.decode(Array(encoded.utf8)),
                let address = String(validating: bytes, as: UTF8.self), !address.isEmpty
            else {
                throw ServiceError(404, "The source is neither plain/… nor base64 of an address.")
            }
            (self.address, self.ending) = (address, ending)
        }
    }

    private static func cut(
        _ text: String, at mark: Character
    ) throws(ServiceError) -> (text: Substring, ending: String?) {
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        guard let first = parts.first, !first.isEmpty else {
            throw ServiceError(404, "There is no source.")
        }
        guard parts.count <= 2 else {
            throw ServiceError(404, "A source has one extension at most, behind \(mark).")
        }
        let ending = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
        return (first, ending)
    }
}
