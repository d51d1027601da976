import Foundation

/// A program that runs beside the tests: its lines are read, and lines are written to it.
public final class Program {
    /// The system could not start a program.
    public struct CannotStart: Error {
        let name: String
        let code: Int32
    }

    private let id: pid_t
    private let input: FileHandle
    private let output: FileHandle
    private var rest: [UInt8] = []
    private var status: Int32?

    /// Starts a program found in `PATH`, or at a path.
    public init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws {
        let (toProgram, fromProgram) = (Pipe(), Pipe())
        // In another program they would keep this one from seeing an end.
        for pipe in [toProgram, fromProgram] {
            for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
        }
        input = toProgram.fileHandleForWriting
        output = fromProgram.fileHandleForReading
        id = try Spawn.start(
            [name] + arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            input: toProgram.fileHandleForReading.fileDescriptor,
            output: fromProgram.fileHandleForWriting.fileDescriptor)
        try toProgram.fileHandleForReading.close()
        try fromProgram.fileHandleForWriting.close()
    }

    deinit { end() }

    /// The next line; nil at the end, and where none comes in two minutes.
    public func line() -> String? {
        while true {
            if let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                return line
            }
            var polled = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 120_000) != 0 else { return nil }
            let data = output.availableData
            if data.isEmpty { return nil }
            rest += data
        }
    }

    /// The lines up to one that begins with a word; nil if the program ends before.
    @discardableResult
    public func line(beginning word: String) -> String? {
        while let line = line() {
            if line.hasPrefix(word) { return line }
        }
        return nil
    }

    /// All lines until the end, as facts: a name and a value each.
    public func facts() -> [String: String] {
        var facts: [String: String] = [:]
        while let line = line() {
            let words = line.split(separator: " ", maxSplits: 1)
            guard let name = words.first else { continue }
            facts[String(name)] = words.dropFirst().first.map(String.init)
        }
        return facts
    }

    /// Writes a line to its standard input.
    public func write(_ line: String) { try? input.write(contentsOf: Data((line + "\n").utf8)) }

    /// Waits for the end and returns the exit code, or -1 after a signal.
    @discardableResult
    public func wait() -> Int32 {
        if let status { return status }
        var result: Int32 = 0
        while waitpid(id, &result, 0) < 0, errno == EINTR {}
        let code = result & 0x7F == 0 ? result >> 8 & 0xFF : -1
        status = code
        return code
    }

    /// Ends the processes that it has started, and those that they have, by a signal; returns their number.
    public func killChildren(_ signal: Int32) -> Int {
        let children = Self.children(of: id)
        for child in children { kill(child, signal) }
        return children.count
    }

    private static func children(of process: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let children = names.compactMap(pid_t.init).filter { candidate in
            // The name in parentheses may contain anything; the state and the parent follow it.
            let stat =
                (try? String(contentsOfFile: "/proc/\(candidate)/stat", encoding: .utf8)) ?? ""
            let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 && fields[0] != "Z" && pid_t(fields[1]) == process
        }
        return children + children.flatMap { Self.children(of: $0) }
    }

    /// Ends the program, if it runs, and waits for that.
    public func end() {
        guard status == nil else { return }
        kill(id, SIGTERM)
        wait()
    }

    /// Runs a program to its end and returns what it printed.
    public static func output(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> [UInt8] {
        let program = try Program(name, arguments, environment: environment)
        let data = program.output.readDataToEndOfFile()
        program.wait()
        return program.rest + data
    }
}
