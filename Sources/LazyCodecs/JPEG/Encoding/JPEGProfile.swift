internal import LazyMedia

/// The segments of a JPEG that hold a color profile (ICC.1:2010, B.4).
enum JPEGProfile {
    private static let name = Array("ICC_PROFILE\0".utf8)
    private static let mostBytes = 65_535 - 2 - name.count - 2

    /// The file with a profile, behind the header of JFIF.
    ///
    /// Throws `.notWritable` for more than 255 segments, about 16 MB.
    static func adding(_ profile: ICCProfile, to file: [UInt8]) throws(MediaError) -> [UInt8] {
        let count = (profile.bytes.count + mostBytes - 1) / mostBytes
        guard count <= 255 else {
            throw MediaError(.notWritable, "A JPEG has no room for so large a color profile.")
        }
        var place = 2
        if file.count > 6, file[2] == 0xFF, file[3] == 0xE0 {
            place += 2 + Int(file[4]) << 8 + Int(file[5])
        }
        var result = Array(file[..<place])
        result.reserveCapacity(file.count + profile.bytes.count + count * 18)
        for number in 0..<count {
            let piece = profile.bytes[(number * mostBytes)...].prefix(mostBytes)
            let length = 2 + name.count + 2 + piece.count
            result += [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + name
            result += [UInt8(number + 1), UInt8(count)] + piece
        }
        return result + file[place...]
    }
}
