import Glibc
internal import LazyBase
internal import LazyMedia
internal import LazyPipeline

/// The command of a run as its journal records it.
struct BatchResumption {
    private let path: String

    /// Reads a journal.
    init(_ path: String) { self.path = path }

    /// The line that records a command and its current folder.
    static func line(_ arguments: [String]) -> String {
        JSONValue.object([
            ("state", .string("run")), ("version", .string(Version.number)),
            ("folder", .name(FilePath.absolute("."))), ("arguments", .names(arguments)),
        ]).line + "\n"
    }

    /// The arguments of the last recorded command, without `batch`, and the absolute path of the journal.
    ///
    /// The recorded folder becomes the current folder.
    func command() throws(CommandFailure) -> (words: [String], journal: String) {
        let text: String
        do throws(MediaError) {
            text = try FileBytes(name: path.systemPath, label: path).contiguous().withBytes {
                String(decoding: $0, as: UTF8.self)
            }
        } catch {
            throw CommandFailure(error, about: path)
        }
        let lines = text.split(separator: "\n")
        guard let run = lines.lazy.reversed().compactMap({ JSONText.value($0, as: Run.self) }).first
        else {
            throw CommandFailure(
                .badData, "malformed", "The journal \(path) contains no command.",
                hint: "Repeat the job and its inputs, with --resume.")
        }
        let journal = FilePath.absolute(path)
        guard chdir(run.folder.systemPath) == 0 else {
            throw CommandFailure(.noInput, "missing", "The folder \(run.folder) does not exist.")
        }
        return (Array(run.words.dropFirst()), journal)
    }

    private struct Run: Decodable {
        let folder: String
        let words: [String]

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: JSONMember.self)
            guard try members.decode(String.self, forKey: "state") == "run",
                let folder = try members.name("folder"),
                let words = try members.names("arguments"), words.first == "batch"
            else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: "It is not a command."))
            }
            (self.folder, self.words) = (folder, words)
        }
    }
}
