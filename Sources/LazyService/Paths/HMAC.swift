internal import LazyBase

/// HMAC-SHA256 (RFC 2104).
enum HMAC {
    /// The code of a message in two parts.
    static func sha256(_ message: [UInt8], after salt: [UInt8], key: [UInt8]) -> [UInt8] {
        let block = 64
        var key = key.count > block ? SHA256.hash(key) : key
        key += Array(repeating: 0, count: block - key.count)
        var inner = SHA256()
        inner.update(key.map { $0 ^ 0x36 })
        inner.update(salt)
        inner.update(message)
        var outer = SHA256()
        outer.update(key.map { $0 ^ 0x5C })
        outer.update(inner.finish())
        return outer.finish()
    }

    /// Whether two codes are equal, in a time that depends on their lengths alone.
    static func areEqual(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
