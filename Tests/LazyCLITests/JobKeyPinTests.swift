import ArgumentParser
import FoundationEssentials
import LazyBatch
import Support
import Testing

@testable import LazyCLI

/// The literal lines by which journals know the jobs of Tests/Pins/commands.txt again.
///
/// Tests/Pins/journal-keys.tsv has each key once, with the first line that makes such a job: a debug
/// build parses three lines a second. With `LAZYIMG_RECORD=1` it is written, of all lines.
@Suite struct JobKeyPinTests {
    private static let pins = Project.folder + "Tests/Pins/"
    private static let table = pins + "journal-keys.tsv"

    /// The lines for a shell by their ids, in the order of the file.
    private static let lines: [(id: String, line: String)] = {
        let text = try? String(contentsOfFile: pins + "commands.txt", encoding: .utf8)
        return (text ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            return (parts[0], parts[1])
        }
    }()

    /// The ids that the table has, and the keys of each.
    private static let recorded: [String: [String]] = {
        let text = try? String(contentsOfFile: table, encoding: .utf8)
        let rows = (text ?? "").split(separator: "\n").dropFirst().map { row in
            row.split(separator: "\t", maxSplits: 1).map(String.init)
        }
        return Dictionary(grouping: rows) { $0[0] }.mapValues { $0.map { $0[1] } }
    }()

    @Test(arguments: recorded.keys.sorted())
    func `jobs have the keys that journals hold`(id: String) throws {
        let line = try #require(Self.lines.first { $0.id == id }?.line, "no line has this id")
        let found = Set(keys(of: line))
        for key in Self.recorded[id] ?? [] { #expect(found.contains(key), "\(key) of \(line)") }
    }

    @Test func `the table has jobs of all commands`() {
        let commands = Set(Self.recorded.keys.map { $0.prefix { $0 != "-" } })
        #expect(
            commands.isSuperset(of: ["poster", "animate", "convert", "sheet", "loop", "batch"]))
        #expect(Self.recorded.count > 200)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["LAZYIMG_RECORD"] != nil))
    func `the table is written`() throws {
        var seen: Set<String> = []
        let rows = Self.lines.flatMap { id, line in
            // A batch has keys of the commands in its jobs, which are made in another way.
            keys(of: line).filter {
                seen.insert((id.hasPrefix("batch") ? "batch " : "") + $0).inserted
            }
            .map { "\(id)\t\($0)" }
        }
        let text = (["id\tkey"] + rows).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: URL(filePath: Self.table))
    }

    /// The keys of the jobs that a line for a shell makes, and those of earlier versions; a command that is
    /// refused has none.
    private func keys(of line: String) -> [String] {
        ShellLine(line).commands.flatMap { words -> [String] in
            guard let start = words.firstIndex(of: "lazyimg") else { return [] }
            var rest = Array(words[(start + 1)...].map(place))
            guard let name = rest.first else { return [] }
            rest.removeFirst()
            let made: (any MediaJob)?
            if name == "batch" {
                made = batchJob(rest)
            } else {
                let type = BatchJobs.commands.first { $0.names.contains(name) }
                made = type.flatMap { job(of: $0, rest) }
            }
            guard let made else { return [] }
            // Version 0.1.0 mixed itself in.
            let earlier = made.earlierKeys.map { String($0.dropLast("\n0.1.0".count)) }
            return ([made.key] + earlier).map { $0.replacing(Media.folder, with: "") }
        }
    }

    /// The path of a file of the tests that a word names, or the word.
    private func place(_ word: String) -> String {
        guard word.contains("."), !word.contains("/") else { return word }
        let paths = [Media.folder, Self.pins + "files/"].map { $0 + word }
        return paths.first { FileManager.default.fileExists(atPath: $0) } ?? word
    }

    private func job<Command: JobCommand>(
        of type: Command.Type, _ words: [String]
    ) -> (any MediaJob)? {
        guard var command = try? type.parse(words) else { return nil }
        let names = OutputWord(
            command.inputs.input, formats: Command.Destination.formats,
            format: command.destination.format, joins: command.joinsInputs)
        if command.destination.output == nil, command.destination.naming.name == nil,
            !command.inputs.options.recursive, command.takesOutputWord, let output = names.output
        {
            (command.inputs.input, command.destination.output) = (names.inputs, output)
        }
        guard let inputs = try? Input.parse(command.inputs.input) else { return nil }
        return try? command.job(inputs)
    }

    /// The job of a batch, whose own options are taken from its words.
    private func batchJob(_ words: [String]) -> (any MediaJob)? {
        let arranged = BatchCommand.arranged(["batch"] + words)
        guard let command = try? BatchCommand.parse(Array(arranged.dropFirst())),
            let name = command.job
        else { return nil }
        var templates = JobTemplates()
        let made = try? templates.make(
            JobWords(name: name, words: command.words), hasOutput: true)
        return made?.job
    }
}

/// The commands of a line for a shell, as words without redirections.
private struct ShellLine {
    private(set) var commands: [[String]] = [[]]

    init(_ line: String) {
        var (word, isWord, quote) = ("", false, nil as Character?)
        var skipsNext = false
        func end(_ commands: inout [[String]]) {
            if isWord, !skipsNext { commands[commands.count - 1].append(word) }
            if isWord { skipsNext = false }
            (word, isWord) = ("", false)
        }
        let text = line.replacing("$URL", with: "http://127.0.0.1:1").replacing("2>&1", with: "")
        for character in text {
            switch (character, quote) {
            case ("'", nil): (quote, isWord) = ("'", true)
            case ("'", "'"): quote = nil
            case (_, "'"): word.append(character)
            case (" ", _): end(&commands)
            case ("<", _), (">", _):
                end(&commands)
                skipsNext = true
            case (";", _), ("|", _), ("&", _):
                end(&commands)
                commands.append([])
            default:
                word.append(character)
                isWord = true
            }
        }
        end(&commands)
    }
}
