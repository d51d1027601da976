/// The lines of a text, one after the other: a file of 20 MB may have as many.
///
/// They end with a line feed, with a carriage return before it, or with that alone.
package struct TextLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private let end: UInt8
    private var place = 0

    /// Makes the lines of a text.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.contains(UInt8(ascii: "\n")) ? UInt8(ascii: "\n") : UInt8(ascii: "\r")
    }

    /// The next line.
    package mutating func next() -> ArraySlice<UInt8>? {
        guard let line = peek() else { return nil }
        place = (bytes[place...].firstIndex(of: end) ?? bytes.count) + 1
        return line
    }

    /// The next line, which stays the next one.
    package func peek() -> ArraySlice<UInt8>? {
        guard place < bytes.count else { return nil }
        let line = bytes[place...].prefix { $0 != end }
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
