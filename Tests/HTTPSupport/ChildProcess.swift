public import Glibc
public import LazyBase

/// A child process that ends with this process.
public enum ChildProcess {
    /// Starts a program with a pipe as standard input, and two descriptors as 8 and 9.
    ///
    /// Returns the end of the pipe; closing it ends the child.
    public static func start(
        _ arguments: [String], handing descriptors: [CInt] = []
    ) throws(SystemError) -> (process: pid_t, lifeline: CInt) {
        guard let pipe = Sockets.pipe() else { throw .last }
        defer { close(pipe.reader) }
        _ = fcntl(pipe.reader, F_SETFL, 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Out of the way first, so that no number is overwritten before it is copied.
        for (index, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(500 + index))
        }
        posix_spawn_file_actions_adddup2(&actions, pipe.reader, 0)
        for index in descriptors.indices {
            posix_spawn_file_actions_adddup2(&actions, CInt(500 + index), CInt(8 + index))
            posix_spawn_file_actions_addclose(&actions, CInt(500 + index))
        }
        // The runner's threads have signals blocked; a child that inherits that outlives SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let status = posix_spawn(
            &process, arguments[0], &actions, &attributes, &words, environ)
        guard status == 0 else {
            close(pipe.writer)
            throw SystemError(code: status)
        }
        return (process, pipe.writer)
    }
}

/// Small files.
enum Files {
    static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw .last }
            rest = rest.dropFirst(count)
        }
    }

    static func read(_ path: String) throws(SystemError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw .last }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    /// Removes a folder recursively.
    static func removeFolder(_ path: String) {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            if unlink("\(path)/\(name)") != 0 { removeFolder("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
    }
}
