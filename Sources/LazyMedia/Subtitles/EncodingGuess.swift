/// The encoding that a file of subtitles is most likely in, which is not UTF-8 and has no mark.
///
/// A language in the name of the file decides; otherwise how its bytes are spread. Western European texts are mostly ASCII, others
/// hardly at all.
struct EncodingGuess {
    /// The name of the encoding, as iconv has it.
    let name: String

    /// The encoding of Western European languages.
    static let western = "windows-1252"

    init(_ bytes: [UInt8], fileName: String) {
        let start = Array(bytes.prefix(1 << 18))
        name = Self.wide(start) ?? Self.named(fileName) ?? Self.spread(ShownText(start).bytes)
    }

    /// UTF-16 without a mark: every other byte of what is ASCII is 0.
    private static func wide(_ bytes: [UInt8]) -> String? {
        var zeros = [0, 0]
        for (index, byte) in bytes.enumerated() where byte == 0 { zeros[index & 1] += 1 }
        guard zeros.reduce(0, +) > bytes.count / 10 else { return nil }
        return zeros[0] > zeros[1] ? "UTF-16BE" : "UTF-16LE"
    }

    /// That of the language in a name such as `film.ru.srt`.
    private static func named(_ fileName: String) -> String? {
        let parts = fileName.split(separator: ".")
        guard parts.count > 2, let code = LanguageCode(String(parts[parts.count - 2])) else {
            return nil
        }
        return encodings[code.code]
    }

    private static let encodings: [String: String] = {
        let languages = [
            ("windows-1250", "pol ces slk hun slv hrv ron bos sqi"),
            ("windows-1251", "rus ukr bul bel mkd srp"), ("windows-1253", "ell"),
            ("windows-1254", "tur aze"), ("windows-1255", "heb"),
            ("windows-1256", "ara fas urd"), ("windows-1257", "lit lav est"),
            ("windows-1258", "vie"), ("CP932", "jpn"), ("GB18030", "zho"), ("CP949", "kor"),
            ("CP874", "tha"),
            (western, "deu fra spa por ita nld swe dan nor fin isl cat eus glg gle eng"),
        ]
        let pairs = languages.flatMap { encoding, codes in
            codes.split(separator: " ").map { (String($0), encoding) }
        }
        return Dictionary(pairs) { first, _ in first }
    }()

    private static func spread(_ bytes: [UInt8]) -> String {
        let letters = bytes.count {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        }
        let high = bytes.count { $0 >= 0x80 }
        guard high > letters else { return western }
        if let double = doubleByte(bytes, high) { return double }
        // In KOI8-R small letters are where windows-1251 has capitals.
        let (lower, upper) = (
            bytes.count { (0xC0...0xDF).contains($0) }, bytes.count { $0 >= 0xE0 }
        )
        return lower > upper ? "KOI8-R" : "windows-1251"
    }

    /// The encoding of East Asian text: two bytes a character.
    private static func doubleByte(_ bytes: [UInt8], _ high: Int) -> String? {
        // Kana begin with these in Shift_JIS, and nothing but control characters in others.
        if bytes.count(where: { $0 == 0x82 || $0 == 0x83 }) * 4 > high { return "CP932" }
        let runs = bytes.split { $0 < 0x80 }
        guard runs.count > 3, runs.allSatisfy({ $0.count.isMultiple(of: 2) }) else { return nil }
        let leads = runs.flatMap { run in
            stride(from: run.startIndex, to: run.endIndex, by: 2).map { run[$0] }
        }
        // Hangul syllables are in these rows; Chinese characters are in them and many more.
        let isHangul = leads.count { (0xB0...0xC8).contains($0) } * 20 > leads.count * 19
        return isHangul ? "CP949" : "GB18030"
    }

    /// Text of Western European languages, without the help of the system.
    static func westernText(_ bytes: [UInt8]) -> String {
        var text = ""
        text.unicodeScalars.reserveCapacity(bytes.count)
        for byte in bytes {
            let scalar =
                (0x80...0x9F).contains(byte)
                ? Unicode.Scalar(special[Int(byte) - 0x80]) : Unicode.Scalar(byte)
            text.unicodeScalars.append(scalar ?? "\u{FFFD}")
        }
        return text
    }

    /// Where windows-1252 differs from ISO 8859-1.
    private static let special: [UInt32] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}
