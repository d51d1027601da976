/// A failed system call on a file.
public struct FileError: Error, Sendable, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// What went wrong.
    public let error: SystemError

    private let verb: String

    package init(path: String, _ error: SystemError) {
        (self.path, self.error, verb) = (path, error, "write")
    }

    package init(reading path: String, _ error: SystemError) {
        (self.path, self.error, verb) = (path, error, "read")
    }

    /// One sentence with the path and the reason.
    public var description: String { "Cannot \(verb) \(path): \(error)." }
}
