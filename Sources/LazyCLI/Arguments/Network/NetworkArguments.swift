internal import FoundationEssentials
internal import LazyLoading
internal import LazyRenditions

/// Parses the values of network options.
enum NetworkArguments {
    static func address(_ text: String) throws -> URL {
        guard let url = RemoteAddress.url(text) else {
            throw WordError(
                "a URL begins with http:// or https:// and contains a host", given: text)
        }
        return url
    }

    static let timeout = Words.time.only("it must be a time such as 5, 1.5 or 2m") { $0 > .zero }
    static let size = Words.byteCount(atLeast: 1, sizes)
    /// Bytes per second; 0 is no limit.
    static let rate = Words.byteCount(atLeast: 0, sizes)
    private static let sizes = "1500, 500K, 20MB or 2GiB"

    /// `Name: value` of RFC 9110, without line breaks.
    static func field(_ text: String) throws -> HTTPHeaders.Field {
        let fault = WordError("a header field is written as 'Name: value'", given: text)
        guard let colon = text.firstIndex(of: ":") else { throw fault }
        let name = text[..<colon]
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        guard !name.isEmpty, name.allSatisfy(isTokenCharacter),
            value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { throw fault }
        return HTTPHeaders.Field(name: String(name), value: String(value))
    }

    private static func isTokenCharacter(_ mark: Character) -> Bool {
        mark.isASCII && (mark.isLetter || mark.isNumber || "!#$%&'*+-.^_`|~".contains(mark))
    }
}
