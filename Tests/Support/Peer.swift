import Glibc

/// Other people's programs, whose answers ours are compared with.
public enum Peer {
    /// Whether a program is installed.
    public static func isInstalled(_ name: String) -> Bool {
        ["/usr/bin/", "/usr/local/bin/"].contains { access($0 + name, X_OK) == 0 }
    }

    /// What a shell command writes to its standard output.
    public static func output(of command: String) -> [UInt8] {
        guard let pipe = popen(command, "re") else { return [] }
        defer { pclose(pipe) }
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, pipe)
            if count == 0 { return result }
            result += chunk[..<count]
        }
    }
}

/// A folder that is removed with the last who holds it.
public final class Scratch: Sendable {
    /// Its path, which ends in a slash.
    public let path: String

    /// Makes an empty folder.
    public init() {
        var template = Array("/tmp/lazyimg-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        path =
            String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/"
    }

    deinit {
        for name in names { unlink(path + name) }
        rmdir(path)
    }

    /// The names of what is in it.
    public var names: [String] {
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

    /// Writes a file and returns its path.
    public func write(_ bytes: [UInt8], _ name: String) -> String {
        let path = self.path + name
        guard let file = fopen(path, "we") else { return path }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        return path
    }
}
