internal import LazyBase

/// A line of a journal: the state of one output.
struct JournalRecord: Equatable, Sendable {
    /// How far the work is.
    enum State: String, Sendable {
        /// It is being made; it did not exist before, or was ours.
        case start
        /// It is made.
        case done
        /// It could not be made.
        case error
    }

    /// A file that was written.
    struct File: Equatable, Sendable {
        let path: String
        let size: Int

        init(path: String, size: Int) {
            self.path = path
            self.size = size
        }
    }

    let state: State
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
    /// The files that were written.
    var files: [File] = []

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
        }
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
    }
}

extension JournalRecord.File: Decodable {
    init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        path = FileName.text(try pair.decode(String.self).utf8)
        size = try pair.decode(Int.self)
    }
}
