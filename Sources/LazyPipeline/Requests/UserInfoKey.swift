/// A key of `userInfo`.
public struct UserInfoKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name of the key.
    public let rawValue: String

    /// Creates a key.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Creates a key.
    public init(stringLiteral value: String) { rawValue = value }
}
