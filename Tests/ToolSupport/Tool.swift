public import Glibc
public import Support

extension Scratch {
    /// The path of a name of any bytes.
    public func raw(_ name: [UInt8]) -> [UInt8] { Array((path + "/").utf8) + name }

    /// The names of the files in a folder in it, hidden ones too.
    public func names(_ folder: String = "") -> [String] { Tool.names(in: path(folder)) }

    /// The text of a file in it.
    public func text(_ name: String) -> String {
        String(decoding: Tool.bytes(path(name)), as: UTF8.self)
    }
}

/// The built executable, run as users run it.
public enum Tool {
    /// What a run left.
    public struct Outcome: Sendable {
        /// The exit status; 128 and the number of the signal that ended it.
        public var status: CInt
        /// Standard output.
        public var output: [UInt8]
        /// Standard error.
        public var errors: String
        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// `LAZYIMG_BINARY`, or the one beside the test's own executable.
    public static let path: String = {
        if let path = getenv("LAZYIMG_BINARY") { return absolute(String(cString: path)) }
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(
            decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = own.split(separator: "/").dropLast().joined(separator: "/")
        return "/" + folder + "/lazyimg"
    }()

    /// The option that names a profile of limits.
    ///
    /// Sanitizers need system calls that isolation refuses, so under them media of `untrusted` is
    /// decoded in the process.
    public static func limits(_ profile: String) -> [String] {
        ["--limits", profile] + (Sanitizer.isLinked ? ["--isolate", "never"] : [])
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Runs it to its end; outputs go to files so that no pipe can fill up.
    public static func run(
        _ arguments: [String], input: String = "/dev/null", output: String? = nil
    ) -> Outcome {
        run(raw: arguments.map { Array($0.utf8) }, input: input, output: output)
    }

    /// The same with words of any bytes.
    public static func run(
        raw arguments: [[UInt8]], input: String = "/dev/null", output: String? = nil
    ) -> Outcome {
        let scratch = Scratch()
        let errors = scratch.path("errors")
        let target = output ?? scratch.path("output")
        let process = spawn(path, arguments, input: input, output: target, errors: errors)
        let status = wait(for: process)
        return Outcome(
            status: status, output: output == nil ? bytes(target) : [],
            errors: String(decoding: bytes(errors), as: UTF8.self))
    }

    /// Runs a shell command with the tool's path in `$lazyimg`.
    public static func shell(_ script: String) -> Outcome {
        let scratch = Scratch()
        let process = spawn(
            "/bin/sh", ["-c", "lazyimg='\(path)'; \(script)"].map { Array($0.utf8) },
            input: "/dev/null",
            output: scratch.path("output"), errors: scratch.path("errors"))
        let status = wait(for: process)
        return Outcome(
            status: status, output: bytes(scratch.path("output")), errors: scratch.text("errors"))
    }

    /// Begins a run and does not wait for it.
    public static func start(
        _ arguments: [String], input: String = "/dev/null", output: String = "/dev/null",
        errors: String = "/dev/null", environment: [String] = []
    ) -> pid_t {
        spawn(
            path, arguments.map { Array($0.utf8) }, input: input, output: output, errors: errors,
            environment: environment)
    }

    /// A folder for what is remembered between runs, removed when the tests end.
    private static let state: String = {
        let path = "/tmp/lazyimg-tests-\(getpid())"
        mkdir(path, 0o700)
        atexit {
            for name in ["lazyimg/journal.jsonl", "lazyimg/journal.jsonl.new"] {
                unlink(Tool.state + "/" + name)
            }
            rmdir(Tool.state + "/lazyimg")
            rmdir(Tool.state)
        }
        return path
    }()

    private static func spawn(
        _ program: String, _ arguments: [[UInt8]], input: String, output: String, errors: String,
        environment: [String] = []
    ) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
        // The runner's threads have signals blocked, which a child would inherit.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A shell ignores SIGINT and SIGQUIT in what it runs in the background.
        var interrupts = none
        sigaddset(&interrupts, SIGINT)
        sigaddset(&interrupts, SIGQUIT)
        posix_spawnattr_setsigdefault(&attributes, &interrupts)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = ([Array(program.utf8)] + arguments).map {
            word in
            strdup(word.map { CChar(bitPattern: $0) } + [0])
        }
        // Tests have a journal of their own, and one that they name comes first.
        let added = (environment + ["XDG_STATE_HOME=" + Self.state]).map { strdup($0) }
        defer { for word in words + added { free(word) } }
        words.append(nil)
        var process: pid_t = 0
        // What the terminal of the test run wants, and where its runner finds libraries, does not matter here.
        let dropped = ["NO_COLOR=", "LD_LIBRARY_PATH="]
        var variables = added
        var place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        while let entry = place, let variable = entry.pointee {
            if !dropped.contains(where: { strncmp(variable, $0, $0.utf8.count) == 0 }) {
                variables.append(variable)
            }
            place = entry + 1
        }
        variables.append(nil)
        let status = posix_spawn(&process, program, &actions, &attributes, words, variables)
        precondition(status == 0, "cannot run \(program)")
        return process
    }

    /// The exit code, or 128 and the signal that ended it.
    public static func wait(for process: pid_t) -> CInt {
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// The bytes of a file.
    public static func bytes(_ path: String) -> [UInt8] { bytes(raw: Array(path.utf8)) }

    /// The bytes of a file whose name need not be UTF-8.
    public static func bytes(raw path: [UInt8]) -> [UInt8] {
        let descriptor = open(name(path), O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// Writes a file.
    public static func write(_ bytes: [UInt8], to path: String) {
        write(bytes, raw: Array(path.utf8))
    }

    /// Writes a file whose name need not be UTF-8.
    public static func write(_ bytes: [UInt8], raw path: [UInt8]) {
        let descriptor = open(name(path), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    /// The names in a folder, sorted, hidden ones too.
    public static func names(in path: String) -> [String] {
        rawNames(in: Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// The names in a folder, as they are.
    public static func rawNames(in path: [UInt8]) -> [[UInt8]] { Scratch.names(in: path) }

    private static func name(_ path: [UInt8]) -> [CChar] {
        path.map { CChar(bitPattern: $0) } + [0]
    }
}
