import Glibc
internal import LazyBytes
internal import LazyFiles

/// Rewrites a journal with its current lines if most lines are outdated.
///
/// The new file replaces the old one by a rename; a process killed before leaves the old one. Only done
/// while no other process has the journal open, which would continue to write to the old file.
struct JournalCompaction {
    private let path: String
    private let descriptor: OutputStream
    private let least: Int

    /// Uses an open journal.
    init(_ path: String, _ descriptor: OutputStream, least: Int) {
        (self.path, self.descriptor, self.least) = (path, descriptor, least)
    }

    /// Returns the new file, open, and closes the old one; nil where the old one stays.
    func run() -> OutputStream? {
        let text = String(decoding: descriptor.bytes(from: 0), as: UTF8.self)
        guard let kept = Self.compacted(text, least: least), isOrdinary,
            let path = FileIdentity.realPath(path), SystemCalls.lockExclusively(descriptor.number)
        else { return nil }
        // Another process may have appended something before the file was locked.
        guard let made = descriptor.size == text.utf8.count ? write(kept, to: path) : nil else {
            _ = SystemCalls.lockShared(descriptor.number)
            return nil
        }
        close(descriptor.number)
        return made
    }

    /// The current lines: the last command, and the last line of each output, in their order; nil where
    /// they are at least half of all.
    static func compacted(_ text: String, least: Int) -> String? {
        let lines = text.split(separator: "\n")
        guard lines.count >= least else { return nil }
        var last: [PathKey: Int] = [:]
        for (place, line) in lines.enumerated() {
            if let record = JournalRecord(line) {
                last[PathKey("output " + record.output)] = place
            } else if JSONText.value(line, as: Command.self)?.state == "run" {
                last[PathKey("run")] = place
            }
        }
        guard lines.count > 2 * last.count else { return nil }
        return last.values.sorted().map { lines[$0] + "\n" }.joined()
    }

    /// Whether a name still leads to an open file.
    static func isSame(_ descriptor: OutputStream, _ path: String) -> Bool {
        var (open, named) = (stat(), stat())
        return fstat(descriptor.number, &open) == 0 && stat(path.systemPath, &named) == 0
            && open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }

    private struct Command: Decodable {
        let state: String
    }

    private var isOrdinary: Bool {
        var status = stat()
        return fstat(descriptor.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private func write(_ text: String, to path: String) -> OutputStream? {
        var status = stat()
        fstat(descriptor.number, &status)
        let name = path + ".new"
        // The journal is locked: an existing file was left by a process that was killed.
        let made = OutputStream(
            number: open(
                name.systemPath, O_RDWR | O_APPEND | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
                status.st_mode & 0o777))
        guard made.number >= 0 else { return nil }
        guard (try? made.write(text)) != nil, SystemCalls.lockShared(made.number),
            fdatasync(made.number) == 0, rename(name.systemPath, path.systemPath) == 0
        else {
            close(made.number)
            unlink(name.systemPath)
            return nil
        }
        return made
    }
}

extension OutputStream {
    /// All bytes from an offset on, of a file.
    func bytes(from offset: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(number, &chunk, chunk.count, off_t(offset + bytes.count))
            if count <= 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// The bytes of a file.
    fileprivate var size: Int { Int(lseek(number, 0, SEEK_END)) }
}
