/// Where media is decoded.
public enum DecodingIsolation: Hashable, Sendable {
    /// In the process that asks: a fault in a decoder is a fault of the whole program.
    case inProcess
    /// In a locked process of its own for each media.
    case perMedia
    /// The same, with so many unused processes forked ahead for films, and for pictures; none serves two media.
    case pooled(Int)
}

/// One of the independent layers between a decoder and the rest of the machine.
public enum IsolationLayer: String, CaseIterable, Hashable, Sendable {
    // In the order of `sandbox_layer`.
    /// Programs with a set-user-ID bit give nothing.
    case noNewPrivileges
    /// Limits of memory, processor time, files and descriptors.
    case limits
    /// Only the system calls that decoding needs.
    case seccomp
    /// No files, no network by TCP, no signals to others.
    case landlock
    /// Own process IDs, network and System V objects.
    case namespaces
    /// No capabilities, and not the user root.
    case unprivileged
    /// Memory never becomes executable.
    case noExecutableMemory

    /// A short description for people.
    public var summary: String {
        switch self {
        case .noNewPrivileges: "no new privileges"
        case .limits: "limits of memory, time and files"
        case .seccomp: "filter of system calls (seccomp)"
        case .landlock: "no files and ports (Landlock)"
        case .namespaces: "own processes and network (namespaces)"
        case .unprivileged: "no capabilities, not root"
        case .noExecutableMemory: "no new executable memory"
        }
    }
}
