import Glibc
internal import LazyBase

/// Where the last line of each output is in a journal.
///
/// Lines are only searched for the name of their output; a record is read when it is asked for. So
/// a journal of 100 000 outputs costs some megabytes and a fraction of a second.
struct JournalIndex {
    /// The place of a line in the file, without its line break.
    struct Line: Equatable {
        let offset: Int
        let count: Int

        /// The line of an output that was removed, which is not looked for again.
        static let none = Line(offset: 0, count: 0)

        /// The line, or nil for that of a removed output.
        var ifNamed: Line? { count > 0 ? self : nil }
    }

    /// The last line of each output.
    private var records: [NameDigest: Line] = [:]
    /// The last line of each file of an output that has several.
    private var others: [NameDigest: Line] = [:]
    /// The line of the last command.
    private(set) var command: Line?
    /// The number of all lines.
    private(set) var lineCount = 0
    /// The offset of the bytes that are not read yet.
    private(set) var end: Int

    /// Starts at an offset, where a line begins.
    init(from offset: Int = 0) { end = offset }

    /// The last line of an output, by its text; it may be torn.
    func line(of output: String) -> Line? { records[NameDigest(output)].flatMap(\.ifNamed) }

    /// The last line that names a file among those that were written.
    func line(ofFile path: String) -> Line? {
        let name = NameDigest(path)
        return (records[name] ?? others[name])?.ifNamed
    }

    /// The number of lines that are not outdated by later ones.
    var currentCount: Int {
        records.values.count { $0.ifNamed != nil } + (command == nil ? 0 : 1)
    }

    /// The lines that are not outdated, in their order.
    var currentLines: [Line] {
        (records.values.compactMap(\.ifNamed) + (command.map { [$0] } ?? [])).sorted {
            $0.offset < $1.offset
        }
    }

    /// Reads the complete lines up to the end of a file.
    mutating func read(_ file: OutputStream) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let got = pread(file.number, &buffer, buffer.count, off_t(end))
            guard got > 0 else { return }
            let taken = buffer.withUnsafeBytes { add($0[..<got]) }
            // A line may be longer than the buffer; without a line break the last one is incomplete.
            if taken == 0, got < buffer.count { return }
            if taken == 0 { buffer = [UInt8](repeating: 0, count: buffer.count * 2) }
        }
    }

    /// Adds complete lines, and returns the number of their bytes.
    mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        var start = bytes.startIndex
        while let stop = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<stop])
            add(line, Line(offset: end + start - bytes.startIndex, count: line.count))
            start = stop + 1
        }
        let taken = start - bytes.startIndex
        end += taken
        return taken
    }

    private mutating func add(_ line: UnsafeRawBufferPointer, _ place: Line) {
        if line.isEmpty { return }
        lineCount += 1
        var reader = JournalLineReader(line)
        guard reader.skip(#"{"state": ""#) else { return addUnusual(line, place) }
        if reader.skip(#"run","#) { return command = place }
        guard
            reader.skip("done") || reader.skip("ready") || reader.skip("start")
                || reader.skip("error"),
            reader.skip(#"", "output": ""#), let output = reader.text(),
            reader.skip(#", "input": "#), line.last == UInt8(ascii: "}")
        else { return addUnusual(line, place) }
        records[NameDigest(output)] = place
        if Self.namesSeveralFiles(line), let record = JournalRecord(usual: line) {
            add(record, place)
        }
    }

    // By what stands between two of them.
    private static func namesSeveralFiles(_ line: UnsafeRawBufferPointer) -> Bool {
        var rest = line
        while let start = rest.baseAddress, let mark = memchr(start, 0x5D, rest.count) {
            rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(mark) - start)...])
            if rest.starts(with: #"], [""#.utf8) { return true }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        }
        return false
    }

    private mutating func add(_ record: JournalRecord, _ place: Line) {
        if record.state == .gone { return forget(record) }
        records[NameDigest(record.output)] = place
        for file in record.files where !file.path.isSamePath(as: record.output) {
            others[NameDigest(file.path)] = place
        }
    }

    private mutating func forget(_ record: JournalRecord) {
        records[NameDigest(record.output)] = Line.none
        for file in record.files where !file.path.isSamePath(as: record.output) {
            others[NameDigest(file.path)] = Line.none
        }
    }

    // Names with quotation marks or that are not UTF-8, other forms of JSON, and torn lines.
    private mutating func addUnusual(_ line: UnsafeRawBufferPointer, _ place: Line) {
        let text = String(decoding: line, as: UTF8.self)
        if let record = JournalRecord(text) {
            add(record, place)
        } else if JSONText.value(text, as: Command.self)?.state == "run" {
            command = place
        }
    }

    /// Adds what another index found behind this one's end.
    mutating func append(_ later: JournalIndex) {
        if records.isEmpty {
            (records, others) = (later.records, later.others)
        } else {
            records.merge(later.records) { $1 }
            others.merge(later.others) { $1 }
        }
        command = later.command ?? command
        lineCount += later.lineCount
        end = later.end
    }

    private struct Command: Decodable {
        let state: String
    }
}
