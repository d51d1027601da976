import Glibc
import LazyServer
import Synchronization

/// Writes lines of JSON to standard error: those of requests together, some milliseconds later, all others at once.
final class LogLines: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// The second whose text is kept.
        var second: time_t = 0
        var time: [UInt8] = []
        var isFlushing = false
    }

    /// The bytes that are written at once.
    private static let most = 16 << 10
    private static let delay = Duration.milliseconds(50)

    private let state = Mutex(State())

    /// Adds a line; `isUrgent` writes it, and all before it.
    func add(isUrgent: Bool, _ fill: (inout JSONLine) -> Void) {
        let isFirst = state.withLock { state -> Bool in
            var now = time_t()
            Glibc.time(&now)
            if now != state.second { (state.second, state.time) = (now, Self.text(of: now)) }
            var line = JSONLine(state.bytes, time: state.time)
            state.bytes = []
            fill(&line)
            state.bytes = line.end()
            if isUrgent || state.bytes.count >= Self.most { Self.write(&state.bytes) }
            guard !state.bytes.isEmpty, !state.isFlushing else { return false }
            state.isFlushing = true
            return true
        }
        guard isFirst else { return }
        Task {
            try? await Task.sleep(for: Self.delay)
            self.flush()
        }
    }

    /// Writes what is left.
    func flush() {
        state.withLock { state in
            state.isFlushing = false
            Self.write(&state.bytes)
        }
    }

    private static func write(_ bytes: inout [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(2, $0.baseAddress.map { $0 + offset }, $0.count - offset)
            }
            // Nobody reads them any more.
            if count < 0, errno != EINTR { break }
            offset += max(0, count)
        }
        bytes.removeAll(keepingCapacity: true)
    }

    /// A time in UTC, as RFC 3339 has it.
    private static func text(of time: time_t) -> [UInt8] {
        var time = time
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return text[..<count].map { UInt8(bitPattern: $0) }
    }
}

/// An object of JSON on a line, written behind others.
struct JSONLine {
    private var bytes: [UInt8]

    init(_ bytes: consuming [UInt8], time: [UInt8]) {
        self.bytes = bytes
        add("{\"time\":\"")
        self.bytes += time
        add("\"")
    }

    private mutating func add(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Adds a member; its name has nothing to escape.
    mutating func add(_ name: StaticString, _ value: some StringProtocol) {
        add(",\"")
        add(name)
        add("\":\"")
        escape(value)
        add("\"")
    }

    /// Adds a member.
    mutating func add(_ name: some StringProtocol, _ value: some StringProtocol) {
        add(",\"")
        escape(name)
        add("\":\"")
        escape(value)
        add("\"")
    }

    /// Adds a member that is a number.
    mutating func add(_ name: StaticString, _ value: Int) {
        add(",\"")
        add(name)
        add("\":")
        bytes.append(contentsOf: "\(value)".utf8)
    }

    private mutating func escape(_ text: some StringProtocol) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): add("\\\"")
            case UInt8(ascii: "\\"): add("\\\\")
            case 0..<32:
                add("\\u00")
                for digit in [byte >> 4, byte & 15] {
                    bytes.append(digit < 10 ? 48 + digit : 87 + digit)
                }
            default: bytes.append(byte)
            }
        }
    }

    /// Ends the line; all bytes.
    consuming func end() -> [UInt8] {
        add("}\n")
        return bytes
    }
}
