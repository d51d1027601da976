/// Internationalized host names in URLs (RFC 3492 and 5891).
enum HostName {
    /// The name in ASCII, with other labels as `xn--…`; nil if a label is too long.
    static func ascii(_ name: some StringProtocol) -> String? {
        let labels = name.lowercased().split(
            omittingEmptySubsequences: false, whereSeparator: { ".。．｡".contains($0) })
        var encoded: [String] = []
        for label in labels {
            if label.utf8.allSatisfy({ $0 < 0x80 }) {
                encoded.append(String(label))
            } else {
                guard let code = punycode(Array(label.unicodeScalars)) else { return nil }
                encoded.append("xn--" + code)
            }
        }
        return encoded.joined(separator: ".")
    }

    // RFC 3492, 6.3, with the parameters of its section 5.
    private static func punycode(_ scalars: [Unicode.Scalar]) -> String? {
        // A label has at most 63 bytes; nothing can overflow below.
        guard scalars.count <= 63 else { return nil }
        var output = scalars.filter(\.isASCII).map { UInt8($0.value) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (code, delta, bias, handled) = (128, 0, 72, basic)
        while handled < scalars.count {
            guard let next = scalars.map({ Int($0.value) }).filter({ $0 >= code }).min() else {
                return nil
            }
            delta += (next - code) * (handled + 1)
            code = next
            for scalar in scalars {
                if scalar.value < code { delta += 1 }
                guard scalar.value == code else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
        var (rest, place) = (delta, 36)
        while true {
            let threshold = min(26, max(1, place - bias))
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            place += 36
        }
        output.append(digit(rest))
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var bias = 0
        while delta > 455 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(value < 26 ? value + 97 : value + 22)
    }
}
