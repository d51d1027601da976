/// Reads the fields of a message, of which nothing is believed: every number is checked before it is used.
struct MessageReader {
    private let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The bytes that are left.
    var remaining: Int { bytes.count - next }

    mutating func number<Number: FixedWidthInteger>(
        _ type: Number.Type = Number.self
    ) throws(GrammarError) -> Number {
        let size = MemoryLayout<Number>.size
        guard size <= remaining else { throw GrammarError("A message ends within a number.") }
        defer { next += size }
        return bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: next, as: Number.self))
        }
    }

    mutating func list(atMost most: Int) throws(GrammarError) -> [UInt8] {
        let count = Int(try number(UInt32.self))
        guard count <= most, count <= remaining else {
            throw GrammarError("A message has a list that is too long.")
        }
        defer { next += count }
        return Array(bytes[next..<next + count])
    }

    /// Throws unless the whole message is read.
    func end() throws(GrammarError) {
        guard remaining == 0 else { throw GrammarError("A message is longer than its fields.") }
    }
}

/// A message that is not one: its sender is not to be trusted further.
struct GrammarError: Error, Hashable {
    /// One sentence about it.
    let message: String

    init(_ message: String) { self.message = message }
}

extension MessageReader {
    mutating func field<Field: MessageField>(
        _ type: Field.Type = Field.self
    ) throws(GrammarError) -> Field { try Field(from: &self) }
}
