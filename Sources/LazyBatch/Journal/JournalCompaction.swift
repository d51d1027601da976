import Glibc
internal import LazyBase

/// Rewrites a journal with its current lines if most lines are outdated.
///
/// The new file replaces the old one by a rename; a process killed before leaves the old one. Only done
/// while no other process has the journal open, which would continue to write to the old file.
struct JournalCompaction {
    private let path: String
    private let descriptor: OutputStream
    private let index: JournalIndex
    private let least: Int

    /// Uses an open journal and its index.
    init(_ path: String, _ descriptor: OutputStream, _ index: JournalIndex, least: Int) {
        (self.path, self.descriptor, self.index, self.least) = (path, descriptor, index, least)
    }

    /// Returns the new file, open, and closes the old one; nil where the old one stays.
    func run() -> OutputStream? {
        guard Self.isWorthwhile(index, least: least), isOrdinary, let kept = keptLines(),
            let path = FileIdentity.realPath(path), SystemCalls.lockExclusively(descriptor.number)
        else { return nil }
        // Another process may have appended something before the file was locked.
        var now = index
        now.read(descriptor)
        guard let made = now.end == index.end ? write(kept, to: path) : nil else {
            _ = SystemCalls.lockShared(descriptor.number)
            return nil
        }
        close(descriptor.number)
        return made
    }

    /// Whether more than half of at least so many lines are outdated.
    static func isWorthwhile(_ index: JournalIndex, least: Int) -> Bool {
        index.lineCount >= least && index.lineCount > 2 * index.currentCount
    }

    /// The last command, and the last line of each output, in their order; nil where one is torn, which
    /// would be kept instead of a complete one before it.
    private func keptLines() -> String? {
        var text = ""
        for line in index.currentLines {
            let bytes = descriptor.bytes(line.offset..<line.offset + line.count)
            let isRecord = bytes.withUnsafeBytes { JournalRecord(usual: $0) != nil }
            let kept = String(decoding: bytes, as: UTF8.self)
            guard isRecord || line == index.command || JournalRecord(kept) != nil else {
                return nil
            }
            text += kept + "\n"
        }
        return text
    }

    /// Whether a name still leads to an open file.
    static func isSame(_ descriptor: OutputStream, _ path: String) -> Bool {
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
    /// The bytes of a range, as far as the file has them.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let place = off_t(range.lowerBound + count)
                let got = pread(
                    number, buffer.baseAddress.map { $0 + count }, range.count - count, place)
                if got <= 0 { return }
                count += got
            }
        }
    }
}
