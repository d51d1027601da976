extension String {
    /// The text without spaces and tabs around it.
    var trimmed: String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let start = utf8.firstIndex(where: { !isSpace($0) }),
            let last = utf8.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[start...last])
    }

    /// The members of a list field, split at commas outside quoted strings (RFC 9110, 5.6.1).
    var fieldMembers: [String] {
        var members: [String] = []
        var member: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        for byte in utf8 {
            if byte == UInt8(ascii: ","), !isQuoted {
                members.append(String(decoding: member, as: UTF8.self).trimmed)
                member = []
                continue
            }
            member.append(byte)
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
        }
        members.append(String(decoding: member, as: UTF8.self).trimmed)
        return members.filter { !$0.isEmpty }
    }

    /// The text of a quoted string (RFC 9110, 5.6.4), or the text itself where it is a token.
    var unquoted: String {
        guard utf8.count >= 2, utf8.first == UInt8(ascii: "\""), utf8.last == UInt8(ascii: "\"")
        else { return self }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in utf8.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                bytes.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Substring {
    /// The text without spaces and tabs around it.
    var trimmed: String { String(self).trimmed }
}
