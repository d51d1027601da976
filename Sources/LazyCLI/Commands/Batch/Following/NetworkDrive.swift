import Glibc
internal import LazyBase

/// Whether a folder is on a drive of another machine, whose changes inotify does not report.
enum NetworkDrive {
    static func has(_ folder: String) -> Bool {
        var status = stat()
        guard stat(folder.systemPath, &status) == 0 else { return false }
        return has(device: UInt64(status.st_dev), mounts: mounts)
    }

    private static var mounts: String {
        guard let file = fopen("/proc/self/mountinfo", "re") else { return "" }
        defer { fclose(file) }
        var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 14))
        while case let count = fread(&piece, 1, piece.count, file), count > 0 {
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a device is such a drive, by the lines of proc_pid_mountinfo(5).
    static func has(device: UInt64, mounts: String) -> Bool {
        let major = (device >> 8 & 0xFFF) | (device >> 32 & ~0xFFF)
        let minor = (device & 0xFF) | (device >> 12 & 0xFFFF_FF00)
        let number = "\(major):\(minor)"
        return mounts.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            guard words.count > 3, words[2] == number, let end = words.firstIndex(of: "-"),
                end + 1 < words.count
            else { return false }
            return kinds.contains { words[end + 1].hasPrefix($0) }
        }
    }

    // nfs4, fuse.sshfs and smb3 begin like these.
    private static let kinds = ["nfs", "cifs", "smb", "fuse", "9p", "afs", "ceph", "virtiofs"]
}
