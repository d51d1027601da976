internal import LazyBase

/// Output of the process: results on standard output, messages on standard error.
enum Console {
    /// Writes results.
    static func print(_ text: String) throws(CommandFailure) {
        do throws(SystemError) {
            try OutputStream.standardOutput.write(text)
        } catch {
            throw CommandFailure(writing: "standard output", error)
        }
    }

    /// Writes results.
    static func print(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
        do throws(SystemError) {
            try OutputStream.standardOutput.write(bytes)
        } catch {
            throw CommandFailure(writing: "standard output", error)
        }
    }

    /// Writes a JSON value in pieces.
    static func print(_ value: JSONValue) throws(CommandFailure) {
        var failure: CommandFailure?
        value.pieces { text in
            do throws(CommandFailure) {
                try print(text)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    /// Writes results for people, which may contain names: without control characters on a terminal,
    /// otherwise with the exact bytes of the names.
    static func tell(_ text: String) throws(CommandFailure) {
        guard !OutputStream.standardOutput.isTerminal else { return try print(text.shownLines) }
        let result = FileName.bytes(text).withUnsafeBytes { bytes in
            Result { () throws(CommandFailure) in try print(bytes) }
        }
        try result.get()
    }

    /// Writes a line for people; errors are ignored.
    static func say(_ line: String) {
        try? OutputStream.standardError.write(line.shownLines + "\n")
    }
}
