import Glibc

/// A running `CacheWorker`, whose output is read line by line.
final class WorkerProcess {
    private let process: pid_t
    private let output: CInt
    private var bytes: [UInt8] = []

    init?(_ folder: String, firstVersion: Int, parity: Int) {
        var ends: [CInt] = [0, 0]
        // A pipe, but closed in all other children from its first instant on.
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let arguments = [Self.program, folder, "\(firstVersion)", "\(parity)"]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var process: pid_t = 0
        let status = posix_spawn(&process, Self.program, &actions, nil, words, environ)
        close(ends[1])
        output = ends[0]
        self.process = process
        if status != 0 { return nil }
    }

    deinit { close(output) }

    /// The executable beside the test bundle.
    private static let program: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, 4095)
        let runner = String(
            decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = runner.split(separator: "/").dropLast().joined(separator: "/")
        return "/" + folder + "/CacheWorker"
    }()

    /// Waits for the next line; nil at the end.
    func nextLine() -> String? {
        while true {
            if let end = bytes.firstIndex(of: 10) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            var piece = [UInt8](repeating: 0, count: 4096)
            let got = read(output, &piece, piece.count)
            if got > 0 { bytes += piece[..<got] } else if got == 0 || errno != EINTR { return nil }
        }
    }

    func kill() { Glibc.kill(process, SIGKILL) }

    /// Waits for its end, and returns whether it was killed.
    func wasKilled() -> Bool {
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == SIGKILL
    }
}
