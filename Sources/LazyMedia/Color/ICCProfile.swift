/// An ICC profile as it is in a file, unchecked but for its header.
public struct ICCProfile: Hashable, Sendable {
    /// The bytes of the profile.
    public let bytes: [UInt8]

    /// Takes a profile, or nil where the bytes are none (ICC.1:2010, 7.2).
    ///
    /// The signature `acsp` and the size in the header are checked. At most 16 MiB are taken.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 132, bytes.count <= 16 << 20, Self.word(bytes, 36) == "acsp" else {
            return nil
        }
        let size = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 132, size <= bytes.count else { return nil }
        self.bytes = size == bytes.count ? bytes : Array(bytes[..<size])
    }

    /// The color space of the samples, such as `RGB`, `GRAY` or `CMYK`.
    public var colorSpace: String {
        var word = Self.word(bytes, 16)
        while word.last == " " { word.removeLast() }
        return word
    }

    /// The version, such as `2.1` or `4.3`.
    public var version: String { "\(bytes[8]).\(bytes[9] >> 4)" }

    /// The profile's own name, such as `Display P3`, or nil where it has none.
    public var name: String? {
        guard let tag = tag("desc"), tag.count > 12 else { return nil }
        let text: String
        switch Self.word(bytes, tag.lowerBound) {
        case "desc":
            guard let count = number(tag.lowerBound + 8), count <= tag.count - 12 else {
                return nil
            }
            text = String(decoding: bytes[(tag.lowerBound + 12)...].prefix(count), as: UTF8.self)
        case "mluc":
            // The first translation (10.15).
            guard tag.count >= 28, let length = number(tag.lowerBound + 20),
                let offset = number(tag.lowerBound + 24), offset <= tag.count,
                length <= tag.count - offset
            else { return nil }
            let start = tag.lowerBound + offset
            let units = Swift.stride(from: start, to: start + (length & ~1), by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            text = String(decoding: units, as: UTF16.self)
        default: return nil
        }
        let name = text.prefix { $0 != "\0" }
        return name.isEmpty ? nil : String(name.prefix(200))
    }

    /// The range of a tag's data, or nil where there is none or it lies outside.
    package func tag(_ signature: String) -> Range<Int>? {
        guard let count = number(128), count <= 1024 else { return nil }
        for index in 0..<count {
            let entry = 132 + index * 12
            guard entry + 12 <= bytes.count else { return nil }
            guard Self.word(bytes, entry) == signature else { continue }
            guard let offset = number(entry + 4), let length = number(entry + 8),
                offset <= bytes.count, length >= 8, length <= bytes.count - offset
            else { return nil }
            return offset..<offset + length
        }
        return nil
    }

    /// The big-endian number at an offset, or nil where it lies outside.
    package func number(_ offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The four letters at an offset.
    package static func word(_ bytes: [UInt8], _ offset: Int) -> String {
        guard offset >= 0, offset <= bytes.count - 4 else { return "" }
        return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }
}
