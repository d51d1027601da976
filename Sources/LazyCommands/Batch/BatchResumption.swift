internal import ArgumentParser
internal import CommandSupport
import Glibc
internal import LazyBatch
internal import LazyBytes
internal import LazyCache
internal import LazyFiles
internal import LazyMedia

/// The command of a run as its journal has it, to be given again.
struct BatchResumption {
    private let path: String

    /// Takes a journal.
    init(_ path: String) { self.path = path }

    /// The line that notes a command and the folder it was given in.
    static func line(_ arguments: [String]) -> String {
        JSONValue.object([
            ("state", .string("run")), ("version", .string(Version.number)),
            ("folder", .name(FilePath.absolute("."))), ("arguments", .names(arguments)),
        ]).line + "\n"
    }

    /// The last command that is noted; the folder it was given in becomes this process's.
    func command() throws(CommandFailure) -> BatchCommand {
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
                .badData, "malformed", "The journal \(path) has no command in it.",
                hint: "Give the job and its inputs again, with --resume.")
        }
        let journal = FilePath.absolute(path)
        guard chdir(run.folder.systemPath) == 0 else {
            throw CommandFailure(.noInput, "missing", "The folder \(run.folder) is gone.")
        }
        return try parse(run.words, journal: journal)
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

    private func parse(
        _ words: [String], journal: String
    ) throws(CommandFailure) -> BatchCommand {
        let arranged = BatchArguments.arranged(words)
        do {
            guard var command = try LazyImg.parseAsRoot(arranged) as? BatchCommand else {
                throw CommandFailure.usage("The journal \(path) is not of a batch.")
            }
            guard command.job != nil || !command.places.manifest.isEmpty else {
                throw CommandFailure.usage("The journal \(path) names no job.")
            }
            command.memory.journal = nil
            command.memory.resume = journal
            return command
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw .usage(UsageText.normalized(LazyImg.message(for: error)))
        }
    }
}

/// Where the journal of a batch is that names none.
enum JournalPlace {
    /// One for each output folder, or for the current folder where outputs are beside their inputs.
    ///
    /// Throws where this user has no folder for it: what another user has put there is not followed.
    static func standard(output: String?) throws(CommandFailure) -> String {
        let hint = "Name a journal with --journal, or do without one with --no-journal."
        guard let state else {
            throw .usage("There is no home folder that the journal could be in.", hint: hint)
        }
        let place = state + "/lazyimg/batch"
        do throws(SystemError) {
            _ = try OwnedFolder.open(place, isPrivate: false)
        } catch {
            let reason = error.code == EPERM ? "it belongs to another user" : error.description
            throw CommandFailure(
                .noPermission, "permission", "The journal cannot be in \(place): \(reason).",
                hint: hint)
        }
        let folder = FilePath.absolute(output ?? ".")
        let name = Digest.sha256(FileName.bytes(folder)).hex.prefix(16)
        return place + "/\(name).jsonl"
    }

    // A path that is not absolute is to be ignored (XDG Base Directory Specification).
    private static var state: String? {
        if let path = getenv("XDG_STATE_HOME"), path.pointee == CChar(UInt8(ascii: "/")) {
            return FileName.text(path)
        }
        guard let home = getenv("HOME"), home.pointee == CChar(UInt8(ascii: "/")) else {
            return nil
        }
        return FileName.text(home) + "/.local/state"
    }
}

/// How many inputs there is memory for.
enum BatchMemory {
    /// What a job on a long clip in 1080p may take.
    static let each = 256 << 20

    /// The jobs asked for, or one a core while half of the memory does.
    static func jobs(_ asked: Int, limit: Int) -> Int {
        if asked > 0 { return asked }
        return max(1, min(BlockingPool.coreCount, limit / 2 / each))
    }
}
