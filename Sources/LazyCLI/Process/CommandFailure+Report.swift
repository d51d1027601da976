internal import LazyBase
internal import LazyPipeline

extension CommandFailure {
    /// Prints the failure on standard error, in one line, and returns the exit code.
    ///
    /// Prints nothing after a signal, or if each input has been
    /// reported already.
    func report(asJSON: Bool) -> CInt {
        if !(status == .success || status == .someFailed || status.isInterruption) {
            Console.say(asJSON ? json.line : line)
        }
        return status.number
    }

    /// The failure as one line for people.
    var line: String {
        var text = "lazyimg: "
        if let input, !message.contains(input) { text += "\(input.shown): " }
        text += message
        if let hint { text += " \(hint)" }
        return text.split(separator: "\n").joined(separator: " ").shown
    }

    /// An error as `--json` prints it.
    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("code", .string(code)),
            ("message", .string(message)),
            ("hint", .string(orNull: hint)),
            ("input", .name(orNull: input)),
            ("exitCode", .integer(Int(status.number))),
        ]
        if let status = httpStatus { members.append(("httpStatus", .integer(status))) }
        return .object([("error", .object(members))])
    }
}
