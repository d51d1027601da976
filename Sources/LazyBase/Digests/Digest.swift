import Glibc

/// A SHA-256.
package struct Digest: Hashable, Sendable {
    /// Its 32 bytes.
    package let bytes: [UInt8]

    /// The digest of a few bytes.
    package static func sha256(_ bytes: [UInt8]) -> Digest { Digest(bytes: SHA256.hash(bytes)) }

    /// Its first eight bytes as a number.
    package var prefix: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// In hexadecimal digits.
    package var hex: String { bytes.hexadecimal() }
}

extension Digest {
    /// The SHA-256 of a file, or nil where it cannot be read.
    ///
    /// Of files larger than `most` bytes: of their size and of a part at the beginning, in the middle
    /// and at the end, for reading all of a film costs more than its poster.
    package static func content(_ path: String, most: Int = 64 << 20) -> Digest? {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        guard
            let file = try? FileDescriptor(
                checking: open(path.systemPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
            let status = try? file.status(), status.isFile
        else { return nil }
        var digest = SHA256()
        do throws(SystemError) {
            if status.size <= most {
                try digest.update(file, from: 0, count: .max)
            } else {
                let part = 4 << 20
                withUnsafeBytes(of: UInt64(status.size).littleEndian) { digest.update($0) }
                for start in [0, status.size / 2, max(0, status.size - part)] {
                    try digest.update(file, from: start, count: part)
                }
            }
        } catch { return nil }
        return Digest(bytes: digest.finish())
    }
}

extension SHA256 {
    /// Adds bytes of a file, up to its end.
    fileprivate mutating func update(
        _ file: FileDescriptor, from start: Int, count: Int
    ) throws(SystemError) {
        var done = 0
        while done < count {
            let piece = try file.bytes(at: start + done, count: min(1 << 18, count - done))
            if piece.isEmpty { return }
            update(piece)
            done += piece.count
        }
    }
}
