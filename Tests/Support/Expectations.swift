public import Testing

/// A failed expectation shows the beginning of a long array, not all of a picture's bytes.
extension Array: @retroactive CustomTestStringConvertible {
    /// All elements of a short array; number and first elements of a long one.
    public var testDescription: String {
        guard count > 32 || String(describing: first).utf8.count > 200 else { return "\(self)" }
        let start = prefix(16).map { String(describing: $0).prefix(100) }.joined(separator: ", ")
        return "\(count) elements: [\(start), …]"
    }
}
