import Glibc
import Support

/// The decoders of this build behind a script that writes down their process.
struct WatchedProgram {
    private let scratch = Scratch()
    let path: String

    /// Makes it; the command of the shell comes first.
    init(_ command: String = "true") {
        let text = """
            #!/bin/bash
            echo $$ >'\(scratch.path("process"))'
            \(command)
            exec -a lazyimg-decoder '\(Hosts.folder)/lazyimg-decoder' "$@"

            """
        path = scratch.program(text, "watched")
    }

    /// The process of the script, and from then on of the program.
    var process: pid_t? {
        pid_t(String(decoding: scratch["process"].prefix { $0 != 10 }, as: UTF8.self))
    }

    /// The process that was started last, among the one of the script and all that it forked.
    var newest: WatchedProcess? {
        process.flatMap { WatchedProcess.descendants(of: $0).last }
    }
}

/// A process, as `/proc/PID/stat` tells (proc(5)).
struct WatchedProcess {
    let id: pid_t
    let parent: pid_t
    let pageFaults: Int

    private init?(_ text: String) {
        guard let end = text.lastIndex(of: ")"), let start = text.firstIndex(of: " "),
            let id = pid_t(text[..<start])
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 7, let parent = pid_t(fields[1]), let faults = Int(fields[7]) else {
            return nil
        }
        (self.id, self.parent, pageFaults) = (id, parent, faults)
    }

    /// The processes that one started, and those that they started, by ID.
    static func descendants(of first: pid_t) -> [WatchedProcess] {
        var family = [first]
        return all.filter { process in
            guard family.contains(process.parent) else { return false }
            family.append(process.id)
            return true
        }
    }

    /// Whether it has not ended.
    var isAlive: Bool { field("State:").map { $0 != "Z" } ?? false }

    /// A field of `/proc/PID/status`, such as `VmHWM:`; nil where it has ended.
    func field(_ name: String) -> String? { Self.field(name, of: id) }

    private static func field(_ name: String, of process: pid_t) -> String? {
        for line in text(of: "/proc/\(process)/status").split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count > 1, words[0] == name { return String(words[1]) }
        }
        return nil
    }

    /// What a process and those that it started had in memory at most, in bytes, as the kernel tells while they live.
    struct Peaks {
        var host = 0
        /// Of one of the others.
        var decoders = 0
        var status: CInt = -1
    }

    /// Looks at a process until it has ended.
    static func peaks(until process: pid_t) -> Peaks {
        func peak(_ process: pid_t) -> Int {
            (field("VmHWM:", of: process).flatMap { Int($0) } ?? 0) * 1024
        }
        var peaks = Peaks()
        var status: CInt = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            peaks.host = max(peaks.host, peak(process))
            for other in descendants(of: process) {
                peaks.decoders = max(peaks.decoders, peak(other.id))
            }
            usleep(1000)
        }
        peaks.status = status
        return peaks
    }

    /// All of them, by ID.
    static var all: [WatchedProcess] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var result: [WatchedProcess] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard pid_t(name) != nil, let process = WatchedProcess(text(of: "/proc/\(name)/stat"))
            else { continue }
            result.append(process)
        }
        return result.sorted { $0.id < $1.id }
    }

    private static func text(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, 4096))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
