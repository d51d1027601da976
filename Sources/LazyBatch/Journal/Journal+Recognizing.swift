import Glibc
package import LazyBase

/// Nothing is added to a file that is not a journal, whoever names it.
extension Journal {
    /// The error for a file that is not empty and no journal.
    package static let foreign = SystemError(code: EBADMSG)

    /// Whether an open file is a journal, or may become one: it is empty, or begins with a line of one.
    static func isJournal(_ file: OutputStream) -> Bool {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { return false }
        // What is written to /dev/null is lost, as is meant.
        if status.st_mode & S_IFMT == S_IFCHR { return true }
        guard status.st_mode & S_IFMT == S_IFREG else { return false }
        let head = file.bytes(0..<Self.head.count)
        // A kill may have torn the first line.
        if head.elementsEqual(Self.head.prefix(head.count)) { return true }
        let bytes = file.bytes(0..<min(Int(status.st_size), 1 << 20))
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return line.count < bytes.count && isLine(String(decoding: line, as: UTF8.self))
    }

    private static let head = Array(#"{"state": ""#.utf8)

    // Other programs may write JSON in other forms.
    private static func isLine(_ line: String) -> Bool {
        JournalRecord(line) != nil || JSONText.value(line, as: AnyLine.self)?.state == "run"
    }

    private struct AnyLine: Decodable {
        let state: String
    }
}
