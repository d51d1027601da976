internal import Glibc

/// The text of a file of subtitles, in whatever encoding it is.
///
/// A mark at its beginning decides (UTF-8, UTF-16, UTF-32), then the name of an encoding, then whether it is UTF-8.
/// What is left is a guess, which a warning says.
package struct SubtitleText: Sendable {
    /// The text, without a mark.
    package let text: String
    /// A guess, and what could not be read.
    package private(set) var warnings: [MediaWarning] = []

    /// Reads the bytes of a file, whose name may say a language, as `film.ru.srt` does.
    ///
    /// `encoding` is one of iconv's names; throws `.unsupported` for another.
    package init(
        _ bytes: [UInt8], encoding: String?, fileName: String
    ) throws(MediaError) {
        if let marked = Self.marked(bytes) {
            text = marked
        } else if let encoding {
            guard let converted = Self.converted(bytes, from: encoding) else {
                throw MediaError(
                    .unsupported,
                    "This system does not convert from the encoding '\(encoding)'.")
            }
            text = converted.text
            if converted.damagedCount > 0 {
                let count = converted.damagedCount
                warnings = [
                    MediaWarning(
                        .note,
                        "\(count) byte\(count == 1 ? "" : "s") of the subtitles \(count == 1 ? "is" : "are") not in \(encoding)."
                    )
                ]
            }
        } else if let plain = String(validating: bytes, as: UTF8.self) {
            text = plain
        } else {
            (text, warnings) = Self.guessed(bytes, fileName)
        }
    }

    private static func guessed(
        _ bytes: [UInt8], _ fileName: String
    ) -> (String, [MediaWarning]) {
        var name = EncodingGuess(bytes, fileName: fileName).name
        var text = name == EncodingGuess.western ? nil : converted(bytes, from: name)?.text
        if text == nil { name = EncodingGuess.western }
        text = text ?? EncodingGuess.westernText(bytes)
        return (
            text ?? "",
            [
                MediaWarning(
                    .note,
                    "The subtitles are not in UTF-8: \(name) is a guess, and --subtitle-encoding names another encoding."
                )
            ]
        )
    }

    // MARK: - Marks

    private static func marked(_ bytes: [UInt8]) -> String? {
        // The mark of UTF-32 in little-endian order begins with that of UTF-16.
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
            return wide(bytes.dropFirst(4), UTF32.self, false)
        }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
            return wide(bytes.dropFirst(4), UTF32.self, true)
        }
        if bytes.starts(with: [0xFF, 0xFE]) { return wide(bytes.dropFirst(2), UTF16.self, false) }
        if bytes.starts(with: [0xFE, 0xFF]) { return wide(bytes.dropFirst(2), UTF16.self, true) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return String(decoding: bytes.dropFirst(3), as: UTF8.self)
        }
        return nil
    }

    private static func wide<Encoding: Unicode.Encoding>(
        _ bytes: ArraySlice<UInt8>, _ encoding: Encoding.Type, _ isBigEndian: Bool
    ) -> String where Encoding.CodeUnit: FixedWidthInteger {
        let width = MemoryLayout<Encoding.CodeUnit>.size
        let starts = stride(from: bytes.startIndex, to: bytes.endIndex - width + 1, by: width)
        let units = starts.map { start in
            let unit = bytes[start..<start + width]
            return (isBigEndian ? Array(unit) : unit.reversed())
                .reduce(Encoding.CodeUnit.zero) { $0 << 8 | Encoding.CodeUnit($1) }
        }
        return String(decoding: units, as: encoding)
    }

    // MARK: - iconv

    /// The text, and how many bytes are not in the encoding; nil for an encoding that is not known.
    private static func converted(
        _ bytes: [UInt8], from name: String
    ) -> (text: String, damagedCount: Int)? {
        // A slash begins orders to iconv.
        guard !name.isEmpty, name.utf8.count < 64,
            name.unicodeScalars.allSatisfy({
                $0.isASCII
                    && ($0.properties.isAlphabetic || "0123456789-_.:".unicodeScalars.contains($0))
            }),
            let handle = iconv_open("UTF-8", name), Int(bitPattern: handle) != -1
        else { return nil }
        defer { iconv_close(handle) }
        var (input, text, damagedCount) = (bytes, [UInt8](), 0)
        var room = [CChar](repeating: 0, count: 1 << 14)
        input.withUnsafeMutableBytes { input in
            var from = input.bindMemory(to: CChar.self).baseAddress
            var left = input.count
            while left > 0 {
                let (result, error, count) = room.withUnsafeMutableBufferPointer { room in
                    var to = room.baseAddress
                    var free = room.count
                    let result = iconv(handle, &from, &left, &to, &free)
                    return (result, errno, room.count - free)
                }
                text += room[..<count].map { UInt8(bitPattern: $0) }
                guard result == -1, error != E2BIG else { continue }
                damagedCount += 1
                text += Array("\u{FFFD}".utf8)
                from = from.map { $0 + 1 }
                left -= 1
            }
        }
        let words = String(decoding: text, as: UTF8.self)
        return (
            words.hasPrefix("\u{FEFF}") ? String(words.unicodeScalars.dropFirst()) : words,
            damagedCount
        )
    }
}
