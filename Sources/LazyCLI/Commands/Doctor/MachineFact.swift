internal import LazyBase

/// Something that machines have or lack, and what that changes.
struct MachineFact: Equatable {
    let name: String
    let found: String
    /// What lazyimg does without it; nil where nothing is missing.
    var effect: String?

    /// What was found and what follows, for people.
    var text: String { effect.map { "\(found); \($0)" } ?? found }

    var json: JSONValue {
        .object([
            ("name", .string(name)), ("found", .string(found)),
            ("effect", .string(orNull: effect)),
        ])
    }
}
