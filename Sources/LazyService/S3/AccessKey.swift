internal import LazyBase

/// What requests are signed with, until it expires.
struct AccessKey: Hashable, Sendable {
    /// Its public part.
    let id: String
    /// Its secret part.
    let secret: String
    /// What goes with a key that is valid for a time.
    var token: String?
    /// When it is no longer valid; nil for a key that stays.
    var expiry: WallTime?
}
