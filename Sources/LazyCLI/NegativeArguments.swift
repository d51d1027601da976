/// The arguments of a command in which values begin with a dash and a digit, which the parser takes for options.
enum NegativeArguments {
    /// The same arguments with such values joined to their options (`--start=-0.5`); nil where none is written so.
    static func joined(_ arguments: [String], after message: String) -> [String]? {
        guard message.hasPrefix("Missing value for '") else { return nil }
        var joined: [String] = []
        for (number, word) in arguments.enumerated() {
            if word == "--" { return didJoin(joined + arguments[number...], arguments) }
            if let last = joined.last, last.hasPrefix("--"), !last.contains("="), isNegative(word) {
                joined[joined.count - 1] = last + "=" + word
            } else {
                joined.append(word)
            }
        }
        return didJoin(joined, arguments)
    }

    private static func didJoin(_ joined: [String], _ arguments: [String]) -> [String]? {
        joined.count < arguments.count ? joined : nil
    }

    private static func isNegative(_ word: String) -> Bool {
        let digits = word.utf8.dropFirst()
        let first = digits.first == UInt8(ascii: ".") ? digits.dropFirst().first : digits.first
        return word.hasPrefix("-") && first.map { (0x30...0x39).contains($0) } == true
    }
}
