/// A failed system call on a file.
public struct FileError: Error, Sendable, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// What went wrong.
    public let error: SystemError

    package init(path: String, _ error: SystemError) {
        self.path = path
        self.error = error
    }

    /// One sentence with the path and the reason.
    public var description: String { "Cannot write \(path): \(error)." }
}
