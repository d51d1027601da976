/// An invalid value of an option; the reason completes the parser's sentence.
package struct ArgumentError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
