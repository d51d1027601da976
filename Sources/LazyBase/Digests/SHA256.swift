internal import CKernels

/// A SHA-256 of bytes that arrive in pieces (FIPS 180-4).
package struct SHA256: Sendable {
    private var state = lazy_sha256_state()

    /// Begins a digest.
    package init() { lazy_sha256_begin(&state) }

    /// The number of bytes of a digest.
    package static let byteCount = Int(LAZY_SHA256_LENGTH)

    /// The digest of some bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = SHA256()
        digest.update(Array(bytes))
        return digest.finish()
    }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        lazy_sha256_add(&state, bytes.baseAddress, bytes.count)
    }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// Adds RGBA8 pixels, whose RGB counts as 0 where alpha is 0.
    package mutating func update(visiblePixels bytes: UnsafeRawBufferPointer) {
        lazy_sha256_add_visible(&state, bytes.baseAddress, bytes.count)
    }

    /// The digest of all bytes; nothing may be added after it.
    package mutating func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            lazy_sha256_end(&state, digest.baseAddress)
            count = Self.byteCount
        }
    }
}

/// MD5 (RFC 1321), for names that other programs have settled; not for security.
package enum MD5 {
    /// The digest of some bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(LAZY_MD5_LENGTH)) { digest, count in
            lazy_md5(bytes, bytes.count, digest.baseAddress)
            count = Int(LAZY_MD5_LENGTH)
        }
    }
}
