internal import LazyBase
internal import LazyLoading

/// The keys that sign URLs, and what else a signature may be.
///
/// A signature is HMAC-SHA256 of a salt and the path behind it, from its slash on, in base64 of the URL alphabet
/// without padding.
public struct URLSignature: Hashable, Sendable {
    /// A key and its salt.
    public struct Pair: Hashable, Sendable {
        let key: [UInt8]
        let salt: [UInt8]

        /// Makes a pair of bytes.
        public init(key: [UInt8], salt: [UInt8]) { (self.key, self.salt) = (key, salt) }

        /// Makes a pair of hexadecimal digits, two a byte; nil for other text.
        public init?(key: String, salt: String) {
            guard let key = Self.bytes(key), let salt = Self.bytes(salt) else { return nil }
            self.init(key: key, salt: salt)
        }

        private static func bytes(_ text: String) -> [UInt8]? {
            let digits = text.utf8.compactMap(\.hexadecimalValue)
            guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
    }

    /// The pairs, of which the first one signs; without any, every signature is right.
    public var pairs: [Pair]
    /// The bytes of a signature, 1 to 32.
    public var byteCount: Int
    /// Texts that are right in place of a signature.
    public var trusted: Set<String>

    /// Makes the rules of a service.
    public init(pairs: [Pair] = [], byteCount: Int = 32, trusted: Set<String> = []) {
        self.pairs = pairs
        self.byteCount = min(max(byteCount, 1), SHA256.byteCount)
        self.trusted = trusted
    }

    /// A path that begins with a slash, with its signature before it; nil without a key.
    ///
    /// Signed is what a service takes it for: without a query, and with the colons and slashes that proxies change.
    public func signed(_ path: String) -> String? {
        let signed = ServicePath.signed(path)
        return pairs.first.map { "/" + text(of: signed, $0) + path }
    }

    private func text(of path: String, _ pair: Pair) -> String {
        let standard = Base64.encode(code(of: path, pair))
        return String(
            standard.compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    private func code(of path: String, _ pair: Pair) -> [UInt8] {
        Array(
            HMAC.sha256(Array(path.utf8), after: pair.salt, key: pair.key).prefix(byteCount))
    }

    /// Whether a signature is right for a path.
    func allows(_ signature: Substring, for path: String) -> Bool {
        // An option in place of the signature has been forgotten, not signed.
        guard !pairs.isEmpty else { return !signature.contains(":") }
        if trusted.contains(String(signature)) { return true }
        guard let given = Self.decoded(signature) else { return false }
        return pairs.reduce(false) { isRight, pair in
            HMAC.areEqual(given, code(of: path, pair)) || isRight
        }
    }

    /// The bytes of a signature; nil for other characters, padding included.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        // The spare bits of the last character do not count.
        guard isPlain, text.utf8.count % 4 != 1 else { return nil }
        var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        for byte in text.utf8 {
            bits = bits << 6 | UInt32(value(byte))
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    private static func value(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48 + 52
        case UInt8(ascii: "-"): 62
        default: 63
        }
    }
}
