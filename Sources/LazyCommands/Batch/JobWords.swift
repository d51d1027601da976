/// A job as it was asked for: the name of its command and the words behind it.
struct JobWords: Hashable, Sendable {
    let name: String
    /// Options and inputs, as on a command line.
    let words: [String]
}
