internal import LazyBase

/// The digest that a store keeps in place of a secret, such as a password.
package enum SecretDigest {
    private static let prefix = "sha256-"

    /// The digest of a secret; a digest is returned unchanged.
    package static func of(_ secret: String) -> String {
        isDigest(secret) ? secret : prefix + SHA256.hash(secret.utf8).hexadecimal()
    }

    /// The digest of a secret with a salt, so that equal secrets differ elsewhere.
    ///
    /// A digest is returned unchanged.
    package static func of(_ secret: String, salt: String) -> String {
        isDigest(secret)
            ? secret
            : prefix + SHA256.hash("\(salt.utf8.count):\(salt)\(secret)".utf8).hexadecimal()
    }

    private static func isDigest(_ text: String) -> Bool {
        text.hasPrefix(prefix) && text.utf8.count == prefix.utf8.count + DiskLayout.nameLength
            && DiskLayout.isHex(text.utf8.dropFirst(prefix.utf8.count))
    }
}
