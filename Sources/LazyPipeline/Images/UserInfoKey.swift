/// The name of something in a `userInfo`.
public struct UserInfoKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String

    /// Makes a key of a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Makes a key of a name.
    public init(stringLiteral value: String) { rawValue = value }
}
