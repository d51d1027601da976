internal import LazyMedia

extension Words {
    /// `1500`, `200K`, `1.5M`, `2 GB`, `64KiB`: a number of bytes, at least 1.
    public static let byteCount = byteCount(atLeast: 1, "1500, 200K, 1.5M or 64KiB")

    /// The same with another bound and other examples.
    package static func byteCount(atLeast least: Int, _ examples: String) -> Grammar<Int> {
        Grammar(
            "a size is written as \(examples)", shape: bytesShape,
            samples: ["1500", "1500B", "200K", "1.5M", "2 GB", "64KiB", "8.2M", "1t"],
            read: { readBytes($0).flatMap { $0 < least ? nil : $0 } },
            print: { DecodingLimits.text($0) })
    }

    /// The same, or `source`: as many as the source has.
    static let byteLimit = Grammar<Rendition.ByteLimit>(
        "\(byteCount.expected), or 'source'", words: ["source"],
        shape: "source|\(bytesShape)", samples: ["200K", "source"],
        read: { $0 == "source" ? .source : (try? byteCount.parse($0)).map { .bytes($0) } },
        print: { limit in
            switch limit {
            case .bytes(let count): byteCount.text(count)
            case .source: "source"
            }
        })

    static let bytesShape = #"[0-9]+(?:\.[0-9]+)? ?(?:[KMGTkmgt](?:[Ii]?[Bb])?|[Bb])?"#

    /// Powers of 1000, or of 1024 with an `i`.
    static func readBytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        var unit = text.dropFirst(digits.count).lowercased()[...]
        if unit.first == " " { unit.removeFirst() }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }),
            let factor = factors[String(unit)], let whole = Int(parts[0]),
            whole <= 1_000_000_000_000_000
        else { return nil }
        // More digits are less than a byte.
        let fraction = parts.count == 2 ? parts[1].prefix(12) : "0"
        let scale = (0..<fraction.count).reduce(Int128(1)) { scale, _ in scale * 10 }
        let bytes = Int128(whole) * factor + Int128(Int(fraction) ?? 0) * factor / scale
        return bytes < 9_000_000_000_000_000_000 ? Int(bytes) : nil
    }

    private static let factors: [String: Int128] = [
        "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
        "gb": 1_000_000_000, "t": 1_000_000_000_000, "tb": 1_000_000_000_000, "kib": 1 << 10,
        "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]
}
