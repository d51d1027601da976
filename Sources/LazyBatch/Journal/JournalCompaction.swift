internal import CLazySystem
import Glibc
package import LazyFiles
internal import LazyMedia

/// Makes a journal anew with the lines that still say something, where those are the fewer.
///
/// The new file takes the old one's name at once and whole; who is killed before leaves the old one.
/// It is done only while no other process has the journal open, since that one would go on writing to
/// a file without a name.
package struct JournalCompaction {
    private let path: String
    private let descriptor: OutputStream
    private let least: Int

    /// Takes an open journal.
    package init(_ path: String, _ descriptor: OutputStream, least: Int) {
        (self.path, self.descriptor, self.least) = (path, descriptor, least)
    }

    /// Returns the new file, open, and closes the old one; nil where the old one stays.
    package func run() -> OutputStream? {
        let text = String(decoding: descriptor.bytes(from: 0), as: UTF8.self)
        guard let kept = Self.compacted(text, least: least), isOrdinary,
            let path = FileIdentity.realPath(path), lazy_have_alone(descriptor.number) == 0
        else { return nil }
        // Another process may have noted something until the file was ours.
        guard let made = descriptor.size == text.utf8.count ? write(kept, to: path) : nil else {
            _ = lazy_attend(descriptor.number)
            return nil
        }
        close(descriptor.number)
        return made
    }

    /// The lines that count: the last command, and the last of each output, in their order; nil where
    /// they are not outnumbered.
    package static func compacted(_ text: String, least: Int) -> String? {
        let lines = text.split(separator: "\n")
        guard lines.count >= least else { return nil }
        var last: [PathKey: Int] = [:]
        for (place, line) in lines.enumerated() {
            if let record = JournalRecord(line) {
                last[PathKey("output " + record.output)] = place
            } else if let value = try? JSONParser.parse(line), value["state"]?.string == "run" {
                last[PathKey("run")] = place
            }
        }
        guard lines.count > 2 * last.count else { return nil }
        return last.values.sorted().map { lines[$0] + "\n" }.joined()
    }

    /// Whether a name is that of an open file, and not of another one by now.
    package static func isSame(_ descriptor: OutputStream, _ path: String) -> Bool {
        var (open, named) = (stat(), stat())
        return fstat(descriptor.number, &open) == 0 && stat(path.systemPath, &named) == 0
            && open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }

    private var isOrdinary: Bool {
        var status = stat()
        return fstat(descriptor.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private func write(_ text: String, to path: String) -> OutputStream? {
        var status = stat()
        fstat(descriptor.number, &status)
        let name = path + ".new"
        // Nobody else is at it: one that is there is of a process that was killed.
        let made = OutputStream(
            number: open(
                name.systemPath, O_RDWR | O_APPEND | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
                status.st_mode & 0o777))
        guard made.number >= 0 else { return nil }
        guard (try? made.write(text)) != nil, lazy_attend(made.number) == 0,
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
    package func bytes(from offset: Int) -> [UInt8] {
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
