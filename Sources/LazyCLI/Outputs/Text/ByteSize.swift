/// Numbers of bytes in text.
enum ByteSize {
    /// Parses `1500`, `100K`, `1.5M`, `2GB` or `4GiB`: powers of 1000, or of 1024 with an `i`.
    static func parse(_ text: String) -> Int? {
        var rest = Substring(text)
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        rest = rest.dropFirst(digits.count)
        if rest.first == " " { rest = rest.dropFirst() }
        guard let factor = factor(rest.lowercased()) else { return nil }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }),
            let number = Double(digits), number <= 1e15
        else { return nil }
        let bytes = number * Double(factor)
        return bytes < 9e18 ? Int(bytes) : nil
    }

    private static func factor(_ unit: String) -> Int? {
        switch unit {
        case "", "b": 1
        case "k", "kb": 1000
        case "m", "mb": 1_000_000
        case "g", "gb": 1_000_000_000
        case "t", "tb": 1_000_000_000_000
        case "kib": 1 << 10
        case "mib": 1 << 20
        case "gib": 1 << 30
        case "tib": 1 << 40
        default: nil
        }
    }

    /// Three digits and a decimal unit: `999 B`, `1.2 kB`, `34.5 MB`.
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes) / 1000
        var units = ["kB", "MB", "GB", "TB"][...]
        while value >= 999.5, units.count > 1 {
            value /= 1000
            units = units.dropFirst()
        }
        let tenths = Int((value * 10).rounded())
        let number = tenths >= 1000 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
        return "\(number) \(units.first ?? "TB")"
    }
}
