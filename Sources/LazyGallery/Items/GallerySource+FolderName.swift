internal import LazyBase

extension GallerySource {
    /// The name of its folder in the site: readable letters of the file's name, then a digest.
    ///
    /// It depends on the name and the subfolder alone, so that every machine computes the same. No
    /// byte of it needs escaping in an address, in HTML or in a shell.
    public var id: String {
        let digest = Digest.sha256(FileName.bytes(subfolder + "/" + path.lastName)).hex
        let word = Self.word(of: path.lastName)
        return (word.isEmpty ? "" : word + "-") + digest.prefix(12)
    }

    // Lower case, and one hyphen for everything else.
    private static func word(of name: String) -> String {
        let stem = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[..<$0]) } ?? name
        var word = ""
        for byte in stem.utf8.prefix(80) where word.utf8.count < 32 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                word.append(Character(UnicodeScalar(byte)))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                word.append(Character(UnicodeScalar(byte | 0x20)))
            default: if !word.isEmpty, word.last != "-" { word.append("-") }
            }
        }
        while word.last == "-" { word.removeLast() }
        return word
    }
}
