/// The text chunks of a PNG file by their keywords.
enum PNGTexts {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Reads the `tEXt` chunks of a file; nil if it is not a complete PNG.
    static func read(_ file: [UInt8]) -> [String: String]? {
        guard file.starts(with: signature) else { return nil }
        var texts: [String: String] = [:]
        var place = signature.count
        while place + 12 <= file.count {
            let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let data = place + 8
            guard length <= file.count - data - 4 else { return nil }
            let kind = file[(place + 4)..<data]
            if kind.elementsEqual("IEND".utf8) { return texts }
            if kind.elementsEqual("tEXt".utf8) { add(file[data..<data + length], to: &texts) }
            place = data + length + 4
        }
        return nil
    }

    private static func add(_ data: ArraySlice<UInt8>, to texts: inout [String: String]) {
        guard let end = data.firstIndex(of: 0) else { return }
        let key = String(decoding: data[..<end], as: UTF8.self)
        texts[key] = String(decoding: data[(end + 1)...], as: UTF8.self)
    }
}
