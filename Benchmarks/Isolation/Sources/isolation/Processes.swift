import Glibc

/// What a process holds, as /proc tells.
struct Holdings: CustomStringConvertible {
    let descriptors: Int
    let mappings: Int
    let residentBytes: Int
    let privateBytes: Int

    init(_ process: pid_t) {
        let folder = "/proc/\(process)"
        descriptors = Folder.names(folder + "/fd").count
        mappings = Folder.lines(folder + "/maps").count
        let memory = Folder.lines(folder + "/smaps_rollup")
        func bytes(_ field: String) -> Int {
            let words = memory.first { $0.hasPrefix(field) }?.split { $0 == " " || $0 == "\t" }
            return words.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 << 10 } ?? 0
        }
        residentBytes = bytes("Rss:")
        // What a process has in common with the one that forked it counts in parts.
        privateBytes = bytes("Pss_Anon:")
    }

    var description: String {
        "\(descriptors) descriptors, \(mappings) mappings, \(residentBytes >> 10) kB resident, \(privateBytes >> 10) kB of it private"
    }
}

/// The processes of this machine.
struct ProcessList {
    struct Entry {
        let id: pid_t
        let parent: pid_t
        let name: String
        let isZombie: Bool
    }
    private let entries: [Entry]

    init() {
        entries = Folder.names("/proc").compactMap { name in
            guard let id = pid_t(name), let line = Folder.lines("/proc/\(name)/stat").first,
                let start = line.firstIndex(of: "("), let end = line.lastIndex(of: ")")
            else { return nil }
            let fields = line[line.index(after: end)...].split(separator: " ")
            guard fields.count > 1, let parent = pid_t(fields[1]) else { return nil }
            return Entry(
                id: id, parent: parent, name: String(line[line.index(after: start)..<end]),
                isZombie: fields[0] == "Z")
        }
    }

    /// Children, and theirs.
    func descendants(of process: pid_t) -> [Entry] {
        entries.filter { $0.parent == process }.flatMap { [$0] + descendants(of: $0.id) }
    }
}

private enum Folder {
    static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    static func lines(_ path: String) -> [String] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var lines: [String] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, 4096, file) != nil {
            lines.append(
                String(
                    decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) },
                    as: UTF8.self))
        }
        return lines
    }
}
