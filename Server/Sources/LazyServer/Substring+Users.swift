/// Hides the users and passwords of addresses within a path, which may be percent-encoded.
extension Substring {
    /// The same with `***` in place of what stands between the scheme of an address and the `@` in front of its host.
    var withoutUsers: Substring {
        let bytes = Array(utf8)
        var shown: [UInt8] = []
        var place = 0
        while place < bytes.count {
            guard let start = Self.schemeEnd(in: bytes, at: place) else {
                shown.append(bytes[place])
                place += 1
                continue
            }
            shown += bytes[place..<start]
            place = start
            if let end = Self.userEnd(in: bytes, from: start) {
                shown += Array("***".utf8)
                place = end
            }
        }
        return shown.count == bytes.count && shown == bytes
            ? self : Substring(decoding: shown, as: UTF8.self)
    }

    /// The end of `://`, where that is at a place.
    private static func schemeEnd(in bytes: [UInt8], at place: Int) -> Int? {
        var end = place
        for character in "://".utf8 {
            guard let count = length(of: character, in: bytes, at: end) else { return nil }
            end += count
        }
        return end
    }

    /// The last `@` in front of the path of an address; nil without one, or without a path: it may begin an extension.
    private static func userEnd(in bytes: [UInt8], from start: Int) -> Int? {
        var (place, user): (Int, Int?) = (start, nil)
        while place < bytes.count {
            if length(of: UInt8(ascii: "/"), in: bytes, at: place) != nil { return user }
            if length(of: UInt8(ascii: "@"), in: bytes, at: place) != nil { user = place }
            place += 1
        }
        return nil
    }

    /// The bytes of a character at a place, plain or percent-encoded; nil for another one.
    private static func length(of character: UInt8, in bytes: [UInt8], at place: Int) -> Int? {
        guard place < bytes.count else { return nil }
        if bytes[place] == character { return 1 }
        guard bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count else { return nil }
        let code = String(decoding: bytes[place + 1...place + 2], as: UTF8.self)
        return UInt8(code, radix: 16) == character ? 3 : nil
    }
}
