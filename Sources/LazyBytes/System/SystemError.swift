import Glibc

/// An error number of the operating system.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    public let code: CInt

    /// Makes an error from a value of `errno`.
    public init(code: CInt) { self.code = code }

    /// The error of the call that has just failed on this thread.
    public static var last: SystemError { SystemError(code: errno) }

    /// The system's own words, such as `No such file or directory`.
    public var description: String {
        guard let words = strerror(code) else { return "error \(code)" }
        return String(cString: words)
    }
}
