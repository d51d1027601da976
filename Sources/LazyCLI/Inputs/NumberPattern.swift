internal import LazyBase

/// A file name with one number, such as `frame-%04d.png`, as printf and ffmpeg write it.
struct NumberPattern {
    /// The bytes before and after the number.
    private let head: [UInt8]
    private let tail: [UInt8]
    /// The least number of digits.
    private let width: Int

    /// Parses a name; nil where it has not exactly one `%d` or `%04d`.
    init?(_ name: String) {
        guard name.utf8.contains(UInt8(ascii: "%")) else { return nil }
        var (parts, width) = ([[UInt8]()], 0)
        var rest = FileName.bytes(name)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                parts[parts.count - 1].append(byte)
                continue
            }
            if rest.first == byte {
                rest.removeFirst()
                parts[parts.count - 1].append(byte)
                continue
            }
            let digits = rest.prefix(while: \.isDigit)
            rest = rest[digits.endIndex...]
            guard rest.popFirst() == UInt8(ascii: "d"), let wanted = Self.width(digits) else {
                return nil
            }
            width = wanted
            parts.append([])
        }
        guard parts.count == 2 else { return nil }
        (head, tail, self.width) = (parts[0], parts[1], width)
    }

    // `%4d` would pad with spaces.
    private static func width(_ digits: ArraySlice<UInt8>) -> Int? {
        if digits.isEmpty { return 0 }
        guard digits.first == UInt8(ascii: "0") else { return nil }
        let width = Int(String(decoding: digits, as: UTF8.self)) ?? 0
        return (1...18).contains(width) ? width : nil
    }

    /// The number in a name, or nil for a name that the pattern does not make.
    func number(in name: String) -> Int? {
        let bytes = FileName.bytes(name)
        guard bytes.count > head.count + tail.count, bytes.starts(with: head),
            bytes.suffix(tail.count).elementsEqual(tail)
        else { return nil }
        let digits = bytes[head.count..<(bytes.count - tail.count)]
        let isPadded = digits.count > 1 && digits.first == UInt8(ascii: "0")
        guard digits.allSatisfy(\.isDigit), digits.count >= max(1, width), digits.count <= 18,
            !isPadded || digits.count == width
        else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// The name without its number and what separates it: `frame` of `frame-%04d.png`.
    var stem: String {
        let marks = Set("-_. ".utf8)
        let ending = tail.lastIndex(of: UInt8(ascii: ".")) ?? tail.endIndex
        let bytes = head + tail[..<ending]
        let trimmed = bytes.reversed().drop(while: marks.contains).reversed()
        return FileName.text(trimmed.isEmpty ? Array("frames".utf8) : Array(trimmed))
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit.
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
