import Glibc

/// Tells when the system runs short of memory (PSI, `/proc/pressure/memory`).
///
/// Where the kernel does not tell, or does not tell this process, nothing is ever said.
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
        var isWatching = false
    }
    private let state = Locked(State())
    private let watchedFiles: [String]

    /// What watches the system, from the first observer on, by a thread of its own.
    public static let shared = MemoryPressure(
        watching: ControlGroups(read: SystemMemory.readFile).pressureFiles)

    /// Makes one that is told by `tell` alone, as for tests.
    public convenience init() { self.init(watching: []) }

    init(watching files: [String]) { watchedFiles = files }

    /// Calls an action at each pressure, on some thread, until the token is dropped.
    public func observe(_ action: @escaping @Sendable (Level) -> Void) -> Token {
        let (id, isFirst) = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = action
            defer { state.isWatching = true }
            return (state.lastID, !state.isWatching)
        }
        if isFirst, !watchedFiles.isEmpty { startThread() }
        return Token { [self] in state.withLock { $0.observers[id] = nil } }
    }

    /// Tells all observers of a pressure.
    public func tell(_ level: Level) {
        for observer in state.withLock({ Array($0.observers.values) }) { observer(level) }
    }

    private func startThread() {
        var thread = pthread_t()
        // The thread lives as long as the process, and holds what it tells.
        let context = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<MemoryPressure>.fromOpaque(context).takeRetainedValue().watch()
                return nil
            }, context.toOpaque())
        if status == 0 { pthread_detach(thread) } else { context.release() }
    }

    private func watch() {
        guard let watch = PressureWatch(files: watchedFiles) else { return }
        while let level = watch.wait() { tell(level) }
        watch.close()
    }
}
