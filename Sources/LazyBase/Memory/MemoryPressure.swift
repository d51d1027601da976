/// Reports when the system runs short of memory (PSI, `/proc/pressure/memory`).
///
/// Reports nothing if the kernel does not support it or denies it to this process.
public final class MemoryPressure: Sendable {
    /// How short memory is.
    public enum Level: Int, Comparable, Sendable {
        /// Some work waits for memory: release what is easy to make again.
        case warning
        /// All work waits for memory: release everything that can be released.
        case critical

        /// Orders two levels.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let observers = ObserverList<Level>()
    private let watchedFiles: [String]
    private let isWatching = Locked(false)

    /// Watches the system, from the first observer on, on a thread of its own.
    public static let shared = MemoryPressure(
        watching: ControlGroups(read: SystemMemory.readFile).pressureFiles)

    /// Makes one that reports only what is passed to `report`, as for tests.
    public convenience init() { self.init(watching: []) }

    init(watching files: [String]) { watchedFiles = files }

    /// Calls an action whenever memory is short, on any thread, until the token is dropped.
    public func observe(_ action: @escaping @Sendable (Level) -> Void) -> ObservationToken {
        let token = observers.add(action)
        let isFirst = isWatching.withLock { isWatching in
            defer { isWatching = true }
            return !isWatching
        }
        // The thread lives as long as the process and retains this.
        if isFirst, !watchedFiles.isEmpty { try? DetachedThread.start { self.watch() } }
        return token
    }

    /// Reports a pressure to all observers; what they free returns to the system soon after.
    public func report(_ level: Level) {
        observers.notify(level)
        FreedMemory.giveBack(after: .max)
    }

    private func watch() {
        guard let watch = PressureWatch(files: watchedFiles) else { return }
        while let level = watch.wait() { report(level) }
        watch.close()
    }
}
