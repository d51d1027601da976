import Glibc

/// A file descriptor that is written to: standard output, standard error or a file.
package struct OutputStream {
    package let number: CInt

    package init(number: CInt) {
        self.number = number
    }

    package static let standardOutput = OutputStream(number: STDOUT_FILENO)
    package static var standardError: OutputStream {
        OutputStream(number: ownErrors.withLock { $0 } ?? STDERR_FILENO)
    }

    // Where our words go once libraries are kept from standard error.
    private static let ownErrors = Locked<CInt?>(nil)

    /// Keeps C libraries from writing to standard error for the rest of the process.
    ///
    /// `standardError` still writes to the original file.
    package static func silenceStderr() {
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
    package var isTerminal: Bool { isatty(number) == 1 }

    /// Writes all bytes, in one system call if possible.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
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
    package func write(_ text: String) throws(SystemError) {
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
