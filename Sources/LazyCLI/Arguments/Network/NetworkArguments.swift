internal import FoundationEssentials
internal import LazyLoading

/// Parses the values of network options.
enum NetworkArguments {
    static func address(_ text: String) throws -> URL {
        guard let url = RemoteAddress.url(text) else {
            throw ArgumentError("a URL begins with http:// or https:// and contains a host")
        }
        return url
    }

    static func retries(_ text: String) throws -> Int {
        guard let number = Int(text), (0...100).contains(number) else {
            throw ArgumentError("it must be a whole number from 0 to 100")
        }
        return number
    }

    static func timeout(_ text: String) throws -> Duration {
        guard let duration = TimestampParser.duration(text), duration > .zero else {
            throw ArgumentError("it must be a time such as 5, 1.5 or 2m")
        }
        return duration
    }

    /// `Name: value` of RFC 9110, without line breaks.
    static func field(_ text: String) throws -> HTTPHeaders.Field {
        let fault = ArgumentError("a header field is written as 'Name: value'")
        guard let colon = text.firstIndex(of: ":") else { throw fault }
        let name = text[..<colon]
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte),
            value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { throw fault }
        return HTTPHeaders.Field(name: String(name), value: String(value))
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    static func rate(_ text: String) throws -> Int {
        if text == "0" { return 0 }
        return try size(text)
    }

    static func size(_ text: String) throws -> Int {
        guard let size = ByteSize.parse(text), size > 0 else {
            throw ArgumentError("a size is written as 1500, 500K, 20MB or 2GiB")
        }
        return size
    }
}
