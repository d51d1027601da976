import Glibc
internal import LazyBase
internal import LazyMedia

/// Reads keys on a thread of its own, so that they arrive while the player waits for something else.
final class KeyReader: Sendable {
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
        thread = Task(executorPreference: BlockingPool.keys) {
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
            guard var bytes = read(keys) else { continue }
            while endsInSequence(bytes), bytes.count < most, isReady(keys), let more = read(keys),
                !more.isEmpty
            {
                bytes += more
            }
            return bytes
        }
    }

    /// The most bytes that are waited for, so that no flood of keys holds those before it.
    private static let most = 1 << 10

    // What is there, nothing at the end; nil if a signal came instead.
    private static func read(_ keys: CInt) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(keys, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return nil }
        return Array(bytes.prefix(max(0, count)))
    }

    // Whether the rest of a sequence comes: a connection may cut it anywhere.
    private static func isReady(_ keys: CInt) -> Bool {
        var wanted = pollfd(fd: keys, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, 50) > 0
    }

    /// The events of keys pressed at once; the end of the input means to quit.
    static func events(_ bytes: [UInt8]) -> [TerminalEvent] {
        if bytes.isEmpty { return [.quit] }
        var events: [TerminalEvent] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            if first == 0x1B {
                events += escape(&rest)
            } else {
                events.append(PlayerKeys.event(of: first) ?? .otherKey)
            }
        }
        return events
    }

    // Escape alone quits; followed by more, it is a key without a character (CSI or SS3), or another.
    private static func escape(_ rest: inout ArraySlice<UInt8>) -> [TerminalEvent] {
        guard let second = rest.popFirst() else { return [.quit] }
        switch second {
        case UInt8(ascii: "["), UInt8(ascii: "O"): break
        // A late answer of the terminal: a string that ends with ST.
        case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"):
            let end = rest.firstIndex { $0 == 0x1B || $0 == 0x07 } ?? rest.endIndex
            rest = rest[end...].dropFirst(rest[end...].first == 0x1B ? 2 : 1)
            return []
        default: return [.otherKey]
        }
        // Parameters precede the letter that ends a sequence.
        guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            rest = []
            return []
        }
        defer { rest = rest[(end + 1)...] }
        let text = String(decoding: rest[...end], as: UTF8.self)
        if let event = PlayerKeys.event(ofSequence: text) { return [event] }
        // Answers begin with a mark, or end with a small letter.
        return text.first == "?" || text.last?.isLowercase == true ? [] : [.otherKey]
    }

    /// Whether the bytes end within the sequence of a key or of an answer, or with an escape that may begin
    /// or end one.
    static func endsInSequence(_ bytes: [UInt8]) -> Bool {
        guard let start = bytes.lastIndex(of: 0x1B) else { return false }
        let rest = bytes[(start + 1)...].dropFirst()
        switch bytes[(start + 1)...].first {
        case nil: return true
        case UInt8(ascii: "["), UInt8(ascii: "O"):
            return !rest.contains { (0x40...0x7E).contains($0) }
        case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"): return !rest.contains(0x07)
        default: return false
        }
    }
}
