internal import CDigest
internal import LazyBytes

/// What stands in a store for a text that is not to be read there, such as a password.
public enum Fingerprint {
    private static let prefix = "sha256-"

    /// The fingerprint of a text; of a fingerprint it is that itself.
    public static func of(_ secret: String) -> String {
        isFingerprint(secret) ? secret : prefix + DiskLayout.hex(digest(of: secret))
    }

    /// The fingerprint of a text beside a salt, so that the same secret is another one elsewhere.
    ///
    /// Of a fingerprint it is that itself.
    public static func of(_ secret: String, salt: String) -> String {
        isFingerprint(secret)
            ? secret
            : prefix + DiskLayout.hex(digest(of: "\(salt.utf8.count):\(salt)\(secret)"))
    }

    private static func isFingerprint(_ text: String) -> Bool {
        text.hasPrefix(prefix) && text.utf8.count == prefix.utf8.count + DiskLayout.nameLength
            && DiskLayout.isHex(text.dropFirst(prefix.count))
    }

    static func digest(of text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { bytes in
            [UInt8](unsafeUninitializedCapacity: Int(LAZY_SHA256_LENGTH)) { digest, count in
                lazy_sha256(bytes.baseAddress, bytes.count, digest.baseAddress)
                count = digest.count
            }
        }
    }
}
