import Glibc

/// Waits for the kernel's reports of memory pressure (PSI triggers).
///
/// A trigger is written to the file once and then wakes its pollers; see the kernel's
/// `Documentation/accounting/psi.rst`.
struct PressureWatch {
    /// The thresholds of a level: microseconds of stalls, and of the window they are counted in.
    ///
    /// An unprivileged process may only use windows of multiples of two seconds.
    static func triggers(_ level: MemoryPressure.Level) -> [String] {
        switch level {
        case .warning: ["some 150000 1000000", "some 300000 2000000"]
        case .critical: ["full 100000 1000000", "full 200000 2000000"]
        }
    }

    private var files: [(file: CInt, level: MemoryPressure.Level)] = []

    /// Sets triggers in the first file that accepts them; nil if none does.
    init?(files candidates: [String]) {
        for path in candidates {
            for level in [MemoryPressure.Level.warning, .critical] {
                for trigger in Self.triggers(level) {
                    guard let file = Self.open(path, trigger) else { continue }
                    files.append((file, level))
                    break
                }
            }
            if !files.isEmpty { return }
        }
        return nil
    }

    private static func open(_ path: String, _ trigger: String) -> CInt? {
        let file = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        if file < 0 { return nil }
        if trigger.withCString({ write(file, $0, strlen($0) + 1) }) > 0 { return file }
        close(file)
        return nil
    }

    /// Blocks until there is pressure and returns its level; nil when the files are gone.
    func wait() -> MemoryPressure.Level? {
        var polled = files.map { pollfd(fd: $0.file, events: CShort(POLLPRI), revents: 0) }
        while true {
            if poll(&polled, nfds_t(polled.count), -1) < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if polled.contains(where: { $0.revents & CShort(POLLERR | POLLNVAL) != 0 }) {
                return nil
            }
            let levels = zip(polled, files).filter { $0.0.revents & CShort(POLLPRI) != 0 }
            if let highest = levels.map(\.1.level).max() { return highest }
        }
    }

    func close() { for file in files { Glibc.close(file.file) } }

    private static func close(_ file: CInt) { Glibc.close(file) }
}
