/// A requested job: the name of its command and the arguments after it.
struct JobWords: Hashable, Sendable {
    let name: String
    /// Options and inputs, as on the command line.
    let words: [String]
}
