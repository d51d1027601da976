import Glibc

/// The amount of memory that this process may use.
public enum SystemMemory {
    /// The smaller of the machine's memory and the limits of this process's control groups, in bytes.
    public static let limit = limit(
        physical: sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE)), read: readFile)

    /// The limit given by the system's files; `read` returns nil for a missing file.
    static func limit(physical: Int, read: (String) -> String?) -> Int {
        ControlGroups(read: read).limits(of: "memory", read: read).reduce(physical, min)
    }

    /// How many processes the kernel has killed for lack of memory: those of this process's control group, or else of
    /// the machine; nil where it does not tell.
    package static var killCount: Int? { killCount(read: readFile) }

    /// The count by the system's files.
    static func killCount(read: (String) -> String?) -> Int? {
        let files = ControlGroups(read: read).killFiles + ["/proc/vmstat"]
        for file in files {
            for line in (read(file) ?? "").split(separator: "\n") {
                let words = line.split(separator: " ")
                if words.count == 2, words[0] == "oom_kill" { return Int(words[1]) }
            }
        }
        return nil
    }

    /// The text of a small file, such as those below `/proc`.
    static func readFile(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if got < 0, errno == EINTR { continue }
            if got <= 0 { break }
            count += got
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}

/// The folders of this process's control groups, of either version.
struct ControlGroups {
    /// Folders from the process's own group up to the mounted root.
    private(set) var unified: [String] = []
    private(set) var memory: [String] = []

    init(read: (String) -> String?) {
        let mounts = (read("/proc/self/mountinfo") ?? "").split(separator: "\n").compactMap {
            Mount($0)
        }
        for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
            // number:controllers:path
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let path = String(parts[2])
            if parts[0] == "0", parts[1].isEmpty {
                let mount = mounts.first { $0.type == "cgroup2" }
                unified = mount?.folders(to: path) ?? []
            } else if parts[1].split(separator: ",").contains("memory") {
                let mount = mounts.first { $0.type == "cgroup" && $0.options.contains("memory") }
                memory = mount?.folders(to: path) ?? []
            }
        }
    }

    /// The memory limits of these groups.
    func limits(of controller: String, read: (String) -> String?) -> [Int] {
        let files =
            unified.map { $0 + "/memory.max" } + memory.map { $0 + "/memory.limit_in_bytes" }
        return files.compactMap { file in
            // "max" is not a number; "no limit" of version 1 is a very large one.
            read(file).flatMap { Int($0.trimming) }.flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// The files that count processes killed for lack of memory, of the own group in either version.
    var killFiles: [String] {
        (unified.first.map { [$0 + "/memory.events"] } ?? [])
            + (memory.first.map { [$0 + "/memory.oom_control"] } ?? [])
    }

    /// The files that report memory pressure: that of the own group, then that of the machine.
    var pressureFiles: [String] {
        (unified.first.map { [$0 + "/memory.pressure"] } ?? []) + ["/proc/pressure/memory"]
    }
}

/// A line of `/proc/self/mountinfo`.
private struct Mount {
    let root: String
    let point: String
    let type: String
    let options: [Substring]

    init?(_ line: Substring) {
        // 36 35 98:0 /root /point options fields… - type source superoptions
        let fields = line.split(separator: " ")
        guard fields.count > 5, let dash = fields.firstIndex(of: "-"), fields.count > dash + 3
        else { return nil }
        root = String(fields[3])
        point = String(fields[4])
        type = String(fields[dash + 1])
        options = fields[dash + 3].split(separator: ",")
    }

    /// The mounted folders of a group and of its ancestors.
    func folders(to path: String) -> [String] {
        let root = root == "/" ? "" : root
        // A container may see only a part of the tree, with paths from another root.
        let isInside = path == root || path.hasPrefix(root + "/")
        var names = (isInside ? path.dropFirst(root.count) : "").split(separator: "/")
        if names.contains("..") { names = [] }
        var folders: [String] = []
        while !names.isEmpty {
            folders.append(point + "/" + names.joined(separator: "/"))
            names.removeLast()
        }
        return folders + [point]
    }
}

extension String {
    fileprivate var trimming: Substring {
        self[...].drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
    }
}
