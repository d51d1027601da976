import Glibc
internal import LazyBase

/// A line of a journal: the state of one output.
struct JournalRecord: Equatable, Sendable {
    /// How far the work is.
    enum State: String, Sendable {
        /// It is being made; it did not exist before, or was ours.
        case start
        /// Its files are complete, and are getting their names.
        case ready
        /// It is made.
        case done
        /// There was nothing to make it of.
        case nothing
        /// It could not be made.
        case error
        /// It was removed, and is forgotten.
        case gone
    }

    /// A file that was written.
    struct File: Equatable, Sendable {
        let path: String
        let size: Int
        /// The file as it was left, and the digest of its content; nil in lines of earlier versions.
        var seal: Seal?

        init(path: String, size: Int, seal: Seal? = nil) {
            self.path = path
            self.size = size
            self.seal = seal
        }
    }

    /// What tells a file that was written from one that somebody put in its place.
    struct Seal: Equatable, Sendable {
        let identity: InputIdentity
        let digest: String
    }

    var state: State
    /// The absolute path of the main output, which identifies the record.
    let output: String
    /// The input's absolute path, or its URL.
    let input: String
    /// The identity of the input when it was looked at; nil where it is not a file.
    let identity: InputIdentity?
    /// What decides the bytes besides the input: the options of the work.
    let options: String
    /// The SHA-256 of the input's content, where it was computed.
    var content: String?
    /// The files that were written; those that are still being replaced come first.
    var files: [File] = []
    /// How many of the last files are new, in state `ready`.
    var readyCount = 0
    /// The file system of the input's folder; nil in lines of earlier versions.
    var volume: Volume?

    /// The line, with its line break.
    var line: String {
        var members: [(String, JSONValue)] = [
            ("state", .string(state.rawValue)), ("output", .name(output)),
            ("input", .name(input)), ("options", .string(options)),
            ("identity", .string(orNull: identity?.text)),
        ]
        if let content { members.append(("content", .string(content))) }
        if !files.isEmpty {
            members.append(
                (
                    "files",
                    .array(files.map { .array([.string($0.path), .integer(Int64($0.size))]) })
                ))
            // Earlier versions read only the list above.
            if files.contains(where: { FileName.isMapped($0.path) }) {
                members.append(("paths", .names(files.map(\.path))))
            }
            let seals = files.compactMap(\.seal)
            if seals.count == files.count {
                members.append(("seals", .array(seals.map { .string($0.text) })))
            }
        }
        if readyCount > 0 { members.append(("ready", .integer(readyCount))) }
        if let volume { members.append(("volume", .string(volume.text))) }
        return JSONValue.object(members).line + "\n"
    }

    init(
        _ state: State, output: String, input: String, identity: InputIdentity?, options: String,
        content: String? = nil, files: [File] = []
    ) {
        self.state = state
        self.output = output
        self.input = input
        self.identity = identity
        self.options = options
        self.content = content
        self.files = files
    }

    /// Reads a line; nil for anything else, such as the torn last line of a process that was killed.
    init?(_ line: some StringProtocol) {
        guard let record = JSONText.value(line, as: JournalRecord.self) else { return nil }
        self = record
    }
}

extension JournalRecord: Decodable {
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: JSONMember.self)
        func missing(_ name: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: [], debugDescription: "There is no \(name)."))
        }
        guard let state = State(rawValue: try members.decode(String.self, forKey: "state")) else {
            throw missing("state")
        }
        guard let output = try members.name("output") else { throw missing("output") }
        guard let input = try members.name("input") else { throw missing("input") }
        self.init(
            state, output: output, input: input,
            identity: try members.decodeIfPresent(String.self, forKey: "identity").flatMap {
                InputIdentity($0)
            }, options: try members.decode(String.self, forKey: "options"),
            content: try members.decodeIfPresent(String.self, forKey: "content"),
            files: try members.decodeIfPresent([File].self, forKey: "files") ?? [])
        // Names that are not UTF-8 are in a list of their own.
        if let paths = try members.names("paths") {
            guard paths.count == files.count else { throw missing("path") }
            files = zip(paths, files).map { File(path: $0, size: $1.size) }
        }
        if let seals = try members.decodeIfPresent([String].self, forKey: "seals") {
            guard add(seals) else { throw missing("seal") }
        }
        readyCount = try members.decodeIfPresent(Int.self, forKey: "ready") ?? 0
        volume = try members.decodeIfPresent(String.self, forKey: "volume").flatMap {
            Volume(text: $0)
        }
    }
}

extension JournalRecord {
    /// Adds the seals of all files; false where their number or form is wrong.
    mutating func add(_ texts: [String]) -> Bool {
        let seals = texts.compactMap { Seal($0) }
        guard seals.count == texts.count, seals.count == files.count else { return false }
        for place in files.indices { files[place].seal = seals[place] }
        return true
    }
}

extension JournalRecord.Seal {
    /// The digest and the identity, with a space between them.
    var text: String { digest + " " + identity.text }

    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let identity = InputIdentity(String(words[1])) else { return nil }
        self.init(identity: identity, digest: String(words[0]))
    }
}

extension JournalRecord.File {
    /// A file as it is now, or nil where there is none.
    init?(path: String) {
        let path = FilePath.absolute(path)
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { return nil }
        var seal: JournalRecord.Seal?
        if let identity = InputIdentity(path: path), let digest = Digest.content(path)?.hex {
            seal = JournalRecord.Seal(identity: identity, digest: digest)
        }
        self.init(path: path, size: Int(status.st_size), seal: seal)
    }

    /// A complete file before it gets its name, by its descriptor; nil where it cannot be read.
    init?(path: String, open descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            let digest = Digest.content("/proc/self/fd/\(descriptor)")?.hex
        else { return nil }
        self.init(
            path: FilePath.absolute(path), size: Int(status.st_size),
            seal: InputIdentity(status).map { JournalRecord.Seal(identity: $0, digest: digest) })
    }

    /// The same file now, with its name: some file systems change its time when it is closed.
    var named: JournalRecord.File {
        guard let seal, seal.identity != InputIdentity(path: path),
            let now = JournalRecord.File(path: path), now.seal?.digest == seal.digest
        else { return self }
        return now
    }

    /// Whether the file at its path is still the one that was written; its content is read only where
    /// nothing else decides, and what cannot be read is not.
    var isIntact: Bool { isSame(orUnreadable: false) }

    /// Whether it is still the one that was written, as far as can be read now.
    ///
    /// Records keep such files: one that cannot be read now would be a stranger's ever after.
    var isLikelyIntact: Bool { isSame(orUnreadable: true) }

    private func isSame(orUnreadable unreadable: Bool) -> Bool {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else {
            return unreadable && !SystemError.last.isMissing
        }
        guard Int(status.st_size) == size else { return false }
        guard let seal, seal.identity != InputIdentity(path: path) else { return true }
        return Digest.content(path).map { $0.hex == seal.digest } ?? unreadable
    }
}

extension JournalRecord.File: Decodable {
    init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        path = FileName.text(try pair.decode(String.self).utf8)
        size = try pair.decode(Int.self)
    }
}
