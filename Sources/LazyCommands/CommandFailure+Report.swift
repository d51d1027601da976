extension CommandFailure {
    /// Says why on standard error, in one line, and returns the exit code.
    ///
    /// Says nothing where there is nothing to say: after a signal, or where each input has been
    /// reported already.
    func report(asJSON: Bool) -> CInt {
        if ![.success, .someFailed, .interrupted].contains(status) {
            Console.say(asJSON ? Reports.error(self).line : line)
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
}
