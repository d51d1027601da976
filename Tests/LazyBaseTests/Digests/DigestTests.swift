import CKernels
import Testing

@testable import LazyBase

@Suite struct DigestTests {
    // FIPS 180-4 examples (NIST), and one of a million bytes.
    static let sums: [([UInt8], String)] = [
        ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            Array(repeating: UInt8(ascii: "a"), count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test(arguments: sums) func `SHA-256 has the values of the standard`(
        bytes: [UInt8], digest: String
    ) {
        #expect(SHA256.hash(bytes).hexadecimal() == digest)
    }

    @Test func `pieces of any size have the digest of the whole`() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let whole = SHA256.hash(bytes)
        for size in [1, 7, 55, 56, 63, 64, 65, 127, 128, 999] {
            var digest = SHA256()
            for start in stride(from: 0, to: bytes.count, by: size) {
                digest.update(Array(bytes[start..<min(bytes.count, start + size)]))
            }
            #expect(digest.finish() == whole, "\(size)")
        }
    }

    @Test func `the portable code agrees with the processor's instructions`() {
        let blocks = (0..<64 * 9).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ $0 >> 3) }
        var digest = lazy_sha256_state()
        lazy_sha256_begin(&digest)
        var portable = digest
        lazy_sha256_add(&digest, blocks, blocks.count)
        withUnsafeMutableBytes(of: &portable.state) { state in
            lazy_sha256_add_blocks_portable(
                state.baseAddress?.assumingMemoryBound(to: UInt32.self), blocks, 9)
        }
        let states = [digest, portable].map { sum in withUnsafeBytes(of: sum.state) { Array($0) } }
        #expect(states[0] == states[1])
    }

    @Test func `the color of an invisible pixel does not count`() {
        func hash(_ pixels: [UInt8]) -> [UInt8] {
            var digest = SHA256()
            pixels.withUnsafeBytes { digest.update(visiblePixels: $0) }
            return digest.finish()
        }
        #expect(hash([1, 2, 3, 0, 9, 9, 9, 255]) == SHA256.hash([0, 0, 0, 0, 9, 9, 9, 255]))
    }

    // RFC 1321, A.5.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ]) func `MD5 has the values of the standard`(text: String, digest: String) {
        #expect(MD5.hash(Array(text.utf8)).hexadecimal() == digest)
    }
}
