extension BatchCommand {
    /// The options of the batch.
    static let known = CommandFlags(of: BatchFlags.self)

    /// The options of the batch first, then the job, `--`, and the arguments of the job.
    ///
    /// Options of both may be mixed. The parser cannot separate them, since it splits arguments such as `-fjpg`
    /// that it does not know. Arguments of other commands are returned unchanged.
    static func arranged(_ arguments: [String]) -> [String] {
        guard arguments.first == "batch" else { return arguments }
        var (own, theirs, job) = ([String](), [String](), String?.none)
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            if word == "--" {
                theirs += ["--"] + rest
                break
            }
            if let pair = separated(word) {
                own += pair
            } else if known.plain.contains(word) || isJoined(word) {
                own.append(word)
            } else if known.valued.contains(word) {
                own.append(word)
                if let value = rest.popFirst() { own.append(value) }
            } else if job == nil, !word.hasPrefix("-") {
                job = word
            } else {
                theirs.append(word)
            }
        }
        return ["batch"] + own + (job.map { [$0] } ?? []) + (theirs.isEmpty ? [] : ["--"] + theirs)
    }

    // `--jobs=4`
    private static func isJoined(_ word: String) -> Bool {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return false }
        return known.valued.contains(String(word[..<equals]))
    }

    // `-j4` is `-j 4` for batch and for the job alike.
    private static func separated(_ word: String) -> [String]? {
        let head = String(word.prefix(2))
        guard word.count > 2, head != "--", known.valued.contains(head) else { return nil }
        return [head, String(word.dropFirst(2))]
    }
}
