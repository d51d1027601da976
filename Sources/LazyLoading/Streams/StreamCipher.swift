internal import CAES

/// Decrypts segments (RFC 8216, 4.3.2.4).
enum StreamCipher {
    /// Bytes that AES-128 encrypted in CBC mode, with padding; `label` is what errors call them.
    static func decrypted(
        _ bytes: [UInt8], key: [UInt8], vector: [UInt8], of label: String
    ) throws(StreamError) -> [UInt8] {
        precondition(key.count == 16 && vector.count == 16, "a key or vector of another size")
        guard caes_load() == 0 else {
            throw .loading(LoadingError(.environment, String(cString: caes_load_message())))
        }
        var bytes = bytes
        let count = bytes.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { caes_decrypt($0, buffer.count, key, vector) } ?? -1
        }
        guard count >= 0 else {
            throw .malformed("\(label) cannot be decrypted: the key or the segment is another one.")
        }
        bytes.removeLast(bytes.count - Int(count))
        return bytes
    }
}
