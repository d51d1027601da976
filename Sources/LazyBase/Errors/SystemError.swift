import Glibc

/// An error number of the operating system.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    public let code: CInt

    /// Makes an error from a value of `errno`.
    public init(code: CInt) { self.code = code }

    /// The error of the last failed system call on this thread.
    public static var last: SystemError { SystemError(code: errno) }

    /// Whether there is nothing of that name.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// The system's description, such as `No such file or directory`.
    public var description: String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }
}
