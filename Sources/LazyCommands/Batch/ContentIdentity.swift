import Glibc
internal import LazyBytes
internal import LazyMedia

extension InputIdentity {
    /// The file at a path as it is now, or nil where there is no plain file.
    init?(path: String) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let time = "\(status.st_mtim.tv_sec).\(String(status.st_mtim.tv_nsec).padded(to: 9))"
        text = "\(status.st_dev):\(status.st_ino):\(status.st_size):\(time)"
    }
}

extension Digest {
    /// The SHA-256 of a file, or nil where it cannot be read.
    ///
    /// Of files larger than `most` bytes: of their size and of a part at the beginning, in the middle
    /// and at the end, for reading all of a film costs more than its poster.
    static func content(_ path: String, most: Int = 64 << 20) -> Digest? {
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
