/// A value of an option that is not one; the reason ends the parser's own sentence.
package struct ArgumentError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
