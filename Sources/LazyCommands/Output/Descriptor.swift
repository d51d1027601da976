import Glibc
internal import LazyBytes
internal import LazyMedia

/// A file descriptor that is written to: standard output, standard error or a file.
struct Descriptor {
    let number: CInt

    static let standardOutput = Descriptor(number: STDOUT_FILENO)
    static var standardError: Descriptor {
        Descriptor(number: ownErrors.withLock { $0 } ?? STDERR_FILENO)
    }

    // Where our words go once libraries are kept from standard error.
    private static let ownErrors = Locked<CInt?>(nil)

    /// Keeps C libraries from writing to standard error for the rest of the process.
    ///
    /// libjxl tells what is wrong with a file there, a line for each of its functions, and dav1d
    /// ("Unknown OBU type"), which libavif gives no logger. What we say goes on to where standard
    /// error led.
    static func hushLibraries(reading type: MediaType) {
        guard [.jpegXL, .avif, .avifSequence].contains(type) else { return }
        ownErrors.withLock { own in
            guard own == nil else { return }
            let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
            guard nothing >= 0 else { return }
            defer { close(nothing) }
            let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { return }
            own = copy
            dup2(nothing, STDERR_FILENO)
        }
    }

    /// Whether it is a terminal.
    var isTerminal: Bool { isatty(number) == 1 }

    /// Writes all bytes, in one call where the system takes them so.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = Glibc.write(number, rest.baseAddress, rest.count)
            if written >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            } else if errno == EAGAIN {
                waitUntilWritable()
            } else if errno != EINTR {
                throw SystemError.last
            }
        }
    }

    /// Writes a text.
    func write(_ text: String) throws(SystemError) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(SystemError) in try write(UnsafeRawBufferPointer(bytes)) }
        }
        try result.get()
    }

    // A shell or another program may have left our output non-blocking.
    private func waitUntilWritable() {
        var wanted = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&wanted, 1, -1)
    }
}

/// What the run hands to its caller: results on standard output, words on standard error.
enum Console {
    /// Writes results.
    static func print(_ text: String) throws(CommandFailure) {
        do throws(SystemError) {
            try Descriptor.standardOutput.write(text)
        } catch {
            throw CommandFailure(writing: "standard output", error)
        }
    }

    /// Writes results.
    static func print(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
        do throws(SystemError) {
            try Descriptor.standardOutput.write(bytes)
        } catch {
            throw CommandFailure(writing: "standard output", error)
        }
    }

    /// Writes results for people, names among them: on a terminal without what would control it,
    /// elsewhere with the bytes that the names have.
    static func tell(_ text: String) throws(CommandFailure) {
        guard !Descriptor.standardOutput.isTerminal else { return try print(text.shownLines) }
        let result = FileName.bytes(text).withUnsafeBytes { bytes in
            Result { () throws(CommandFailure) in try print(bytes) }
        }
        try result.get()
    }

    /// Writes a line for people; where nobody can read it there is nothing to be done.
    static func say(_ line: String) {
        try? Descriptor.standardError.write(line.shownLines + "\n")
    }
}
