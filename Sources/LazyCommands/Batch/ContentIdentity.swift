internal import CDigest
import Glibc
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
        // A pipe would be waited for.
        let descriptor = open(path.systemPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let size = Int(status.st_size)
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(LAZY_SHA256_LENGTH)) { buffer, count in
            let outcome =
                size <= most
                ? lazy_sha256_file(descriptor, buffer.baseAddress)
                : lazy_sha256_parts(descriptor, UInt64(size), buffer.baseAddress)
            isWhole = outcome == 1
            count = isWhole ? Int(LAZY_SHA256_LENGTH) : 0
        }
        return isWhole ? Digest(bytes: bytes) : nil
    }
}
