internal import LazyBytes
internal import LazyFiles

/// What the run hands to its caller: results on standard output, words on standard error.
package enum Console {
    /// Writes results.
    package static func print(_ text: String) throws(CommandFailure) {
        do throws(SystemError) {
            try OutputStream.standardOutput.write(text)
        } catch {
            throw CommandFailure(writing: "standard output", error)
        }
    }

    /// Writes results.
    package static func print(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
        do throws(SystemError) {
            try OutputStream.standardOutput.write(bytes)
        } catch {
            throw CommandFailure(writing: "standard output", error)
        }
    }

    /// Writes results for people, names among them: on a terminal without what would control it,
    /// elsewhere with the bytes that the names have.
    package static func tell(_ text: String) throws(CommandFailure) {
        guard !OutputStream.standardOutput.isTerminal else { return try print(text.shownLines) }
        let result = FileName.bytes(text).withUnsafeBytes { bytes in
            Result { () throws(CommandFailure) in try print(bytes) }
        }
        try result.get()
    }

    /// Writes a line for people; where nobody can read it there is nothing to be done.
    package static func say(_ line: String) {
        try? OutputStream.standardError.write(line.shownLines + "\n")
    }
}
