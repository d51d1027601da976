/// Tells when the system runs short of memory (PSI, `/proc/pressure/memory`).
public final class MemoryPressure: Sendable {
    /// How short.
    public enum Level: Int, Comparable, Sendable {
        /// Some work waits for memory: give back what is easily made again.
        case warning
        /// All work waits for memory: give back all that can be given.
        case critical

        /// Orders two levels.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// Ends an observation when it is dropped.
    public final class Token: Sendable {
        private let end: @Sendable () -> Void
        init(end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    private struct State {
        var lastID = 0
        var observers: [Int: @Sendable (Level) -> Void] = [:]
    }
    private let state = Locked(State())

    /// What watches the system.
    public static let shared = MemoryPressure()

    /// Makes one that is told by `tell` alone, as for tests.
    public init() {}

    /// Calls an action at each pressure, on some thread, until the token is dropped.
    public func observe(_ action: @escaping @Sendable (Level) -> Void) -> Token {
        let id = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = action
            return state.lastID
        }
        return Token { [self] in state.withLock { $0.observers[id] = nil } }
    }

    /// Tells all observers of a pressure.
    public func tell(_ level: Level) {
        for observer in state.withLock({ Array($0.observers.values) }) { observer(level) }
    }
}
