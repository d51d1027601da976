import Foundation

/// A program that runs beside the tests: its lines are read, and lines are written to it.
public final class Program {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest: [UInt8] = []

    /// Starts a program found in `PATH`, or at a path.
    public init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { end() }

    /// The next line; nil at the end.
    public func line() -> String? {
        while true {
            if let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                return line
            }
            let data = output.fileHandleForReading.availableData
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
            if let name = words.first {
                facts[String(name)] = words.dropFirst().first.map(String.init)
            }
        }
        return facts
    }

    /// Writes a line to its standard input.
    public func write(_ line: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits for the end and returns the exit code.
    public func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Ends the program if it runs.
    public func end() { if process.isRunning { process.terminate() } }

    /// Runs a program to its end and returns what it printed.
    public static func output(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> [UInt8] {
        let program = try Program(name, arguments, environment: environment)
        let data = program.output.fileHandleForReading.readDataToEndOfFile()
        program.process.waitUntilExit()
        return program.rest + data
    }
}
