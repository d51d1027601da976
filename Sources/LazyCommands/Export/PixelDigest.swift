internal import CDigest
internal import LazyMedia

/// The SHA-256 of pictures, by OpenSSL, which is loaded when the first one is wanted.
enum PixelDigest {
    /// The hash over the RGBA8 rows, RGB being 0 where alpha is 0, as hexadecimal digits.
    static func hex(_ bitmap: Bitmap) throws(CommandFailure) -> String {
        var digest = [UInt8](repeating: 0, count: Int(LAZY_SHA256_LENGTH))
        let status = bitmap.withBytes { bytes in
            lazy_digest_rgba(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
                bitmap.isOpaque ? 1 : 0, &digest)
        }
        guard status == 1 else {
            throw CommandFailure(
                .unavailable, "environment",
                "OpenSSL's libcrypto.so.3 cannot be loaded for hashes.",
                hint: "Install it: apt-get install libssl3")
        }
        return hex(digest)
    }

    /// Whether hashes can be had here.
    static var isAvailable: Bool { lazy_digest_is_available() == 1 }

    private static func hex(_ digest: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: digest.count * 2) { text in
            for (place, byte) in digest.enumerated() {
                text[place * 2] = digits[Int(byte >> 4)]
                text[place * 2 + 1] = digits[Int(byte & 15)]
            }
            return digest.count * 2
        }
    }
}
