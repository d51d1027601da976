extension Substring {
    /// The bytes with each `%` and two digits undone; nil where a `%` has no digits behind it.
    func percentDecoded() -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension String {
    /// What follows a scheme, written in any case, or nil.
    func afterScheme(_ scheme: String) -> Substring? {
        guard utf8.count > scheme.utf8.count,
            String(decoding: utf8.prefix(scheme.utf8.count), as: UTF8.self).isSameField(as: scheme),
            utf8.dropFirst(scheme.utf8.count).first == UInt8(ascii: ":")
        else { return nil }
        return self[utf8.index(startIndex, offsetBy: scheme.utf8.count + 1)...]
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
