/// An invalid value of an option; the reason completes the parser's sentence.
struct ArgumentError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
