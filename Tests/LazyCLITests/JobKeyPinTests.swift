import ArgumentParser
import FoundationEssentials
import LazyBatch
import Support
import Testing

@testable import LazyCLI

/// The literal lines by which journals know the jobs of Tests/Pins/commands.txt again.
///
/// `LAZYIMG_RECORD=1` writes Tests/Pins/journal-keys.tsv instead of comparing with it.
@Suite struct JobKeyPinTests {
    private static let pins = Project.folder + "Tests/Pins/"
    private static let table = pins + "journal-keys.tsv"

    @Test func `jobs have the keys that journals hold`() throws {
        let lines = try String(contentsOfFile: Self.pins + "commands.txt", encoding: .utf8)
        let rows = lines.split(separator: "\n").filter { !$0.hasPrefix("#") }.flatMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return keys(of: String(parts[1])).map { "\(parts[0])\t\($0)" }
        }
        let text = (["id\tkey"] + rows).joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["LAZYIMG_RECORD"] != nil {
            try Data(text.utf8).write(to: URL(filePath: Self.table))
        }
        let recorded = try String(contentsOfFile: Self.table, encoding: .utf8)
            .split(separator: "\n")
        let now = text.split(separator: "\n")
        #expect(rows.count > 400)
        #expect(Set(now).subtracting(recorded).sorted() == [])
        #expect(Set(recorded).subtracting(now).sorted() == [])
    }

    /// The keys of the jobs that a line for a shell makes; a command that is refused has none.
    private func keys(of line: String) -> [String] {
        ShellLine(line).commands.compactMap { words -> String? in
            guard let start = words.firstIndex(of: "lazyimg") else { return nil }
            var rest = Array(words[(start + 1)...].map(place))
            guard let name = rest.first else { return nil }
            rest.removeFirst()
            let made: String?
            if name == "batch" {
                made = batchKey(rest)
            } else {
                let type = BatchJobs.commands.first { $0.names.contains(name) }
                made = type.flatMap { key(of: $0, rest) }
            }
            return made?.replacing(Media.folder, with: "")
        }
    }

    /// The path of a file of the tests that a word names, or the word.
    private func place(_ word: String) -> String {
        guard word.contains("."), !word.contains("/") else { return word }
        let paths = [Media.folder, Self.pins + "files/"].map { $0 + word }
        return paths.first { FileManager.default.fileExists(atPath: $0) } ?? word
    }

    private func key<Command: JobCommand>(of type: Command.Type, _ words: [String]) -> String? {
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
        return try? command.job(inputs).key
    }

    /// The key of the job of a batch, whose own options are taken from its words.
    private func batchKey(_ words: [String]) -> String? {
        let arranged = BatchCommand.arranged(["batch"] + words)
        guard let command = try? BatchCommand.parse(Array(arranged.dropFirst())),
            let name = command.job
        else { return nil }
        var templates = JobTemplates()
        let made = try? templates.make(
            JobWords(name: name, words: command.words), hasOutput: true)
        return made?.job.key
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
