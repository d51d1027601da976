import Glibc

/// How many files this process may still open, and how many jobs they are enough for.
///
/// Libraries below us end the process where they get no descriptor, so it is counted before anything starts.
package enum DescriptorBudget {
    /// What a process needs beside its jobs: its libraries, a decoder, connections to a server, inputs and outputs.
    package static let base = 24
    /// What each further job needs.
    private static let perJob = 12

    /// Raises the limit of this process as far as it may, and returns whether it can open enough files to begin.
    package static func prepare() -> Bool {
        raise()
        return free(upTo: base) >= base
    }

    /// The limit of open files of this process.
    package static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// As many jobs as there are descriptors for, at most a number of them and at least one.
    package static func jobs(_ wanted: Int) -> Int {
        guard wanted > 1 else { return wanted }
        let (needed, isTooMany) = wanted.multipliedReportingOverflow(by: perJob)
        let room = free(upTo: isTooMany ? limit : needed + base) - base
        return min(wanted, max(1, room / perJob))
    }

    // A higher limit than this costs programs that close all descriptors.
    private static func raise() {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return }
        let most = min(limit.rlim_max, 4096)
        guard limit.rlim_cur < most else { return }
        limit.rlim_cur = most
        setrlimit(kind, &limit)
    }

    /// The number of descriptors below the limit that are not open; counts no further than a number of them.
    static func free(upTo most: Int) -> Int {
        var count = 0
        for number in 0..<limit {
            guard count < most else { break }
            if fcntl(CInt(clamping: number), F_GETFD) < 0 { count += 1 }
        }
        return count
    }
}
