import Glibc
internal import LazyBytes
internal import LazyFiles
internal import LazyMedia

/// Reads keys on a thread of its own, so that they arrive while the player waits for something else.
final class KeyReader: Sendable {
    /// One thread: a process has one terminal.
    private static let pool = BlockingPool(width: 1)

    /// Closing the writing end ends the thread.
    private let ends: (reading: CInt, writing: CInt)
    private let thread: Task<Void, Never>
    private let hasEnded = Locked(false)

    /// Begins to read a terminal's keys; nil where the system has no pipe for it.
    init?(_ keys: OutputStream, _ didPress: @escaping @Sendable (TerminalEvent) -> Void) {
        var pair: [CInt] = [0, 0]
        guard pipe(&pair) == 0 else { return nil }
        for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reading, number) = (pair[0], keys.number)
        ends = (pair[0], pair[1])
        // Owned by the reader, and ended by `end`.
        thread = Task(executorPreference: Self.pool) {
            defer { close(reading) }
            while let bytes = Self.nextBytes(number, until: reading) {
                for event in Self.events(bytes) { didPress(event) }
                // A closed terminal sends nothing more.
                if bytes.isEmpty { return }
            }
        }
    }

    deinit { end() }

    /// Ends the thread.
    func end() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        if isFirst { close(ends.writing) }
    }

    // The bytes of the keys pressed at once; nil at the end.
    private static func nextBytes(_ keys: CInt, until end: CInt) -> [UInt8]? {
        while true {
            var wanted = [
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
                pollfd(fd: keys, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&wanted, 2, -1) > 0 else {
                if errno == EINTR { continue }
                return nil
            }
            if wanted[0].revents != 0 { return nil }
            var bytes = [UInt8](repeating: 0, count: 32)
            let count = read(keys, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return Array(bytes.prefix(max(0, count)))
        }
    }

    /// The events of keys pressed at once; the end of the input means to quit.
    static func events(_ bytes: [UInt8]) -> [TerminalEvent] {
        if bytes.isEmpty { return [.quit] }
        var events: [TerminalEvent] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            switch first {
            case 0x1B: events += escape(&rest)
            case UInt8(ascii: "q"), UInt8(ascii: "Q"): events.append(.quit)
            case UInt8(ascii: " "): events.append(.pause)
            case UInt8(ascii: "."): events.append(.step)
            default: break
            }
        }
        return events
    }

    // Escape alone quits; followed by more, it is an arrow (CSI or SS3) or another key.
    private static func escape(_ rest: inout ArraySlice<UInt8>) -> [TerminalEvent] {
        guard let second = rest.popFirst() else { return [.quit] }
        guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return [] }
        var last: UInt8?
        // Parameters precede the letter that ends a sequence.
        while let byte = rest.popFirst() {
            last = byte
            if (0x40...0x7E).contains(byte) { break }
        }
        switch last {
        case UInt8(ascii: "C"): return [.seek(.seconds(5))]
        case UInt8(ascii: "D"): return [.seek(.seconds(-5))]
        default: return []
        }
    }
}
