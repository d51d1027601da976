internal import CKernels

/// CRC-32C, by which stored bytes are verified.
package enum Checksum {
    /// The sum of bytes that continue those of an earlier sum.
    package static func crc32c(
        _ bytes: UnsafeRawBufferPointer, after earlier: UInt32 = 0
    ) -> UInt32 {
        cchecksum_crc32c(earlier, bytes.baseAddress, bytes.count)
    }
}
