internal import LazyMedia

/// What a journal says of one output: a JSON line.
struct JournalRecord: Equatable, Sendable {
    /// How far it is.
    enum State: String, Sendable {
        /// It is being made, and was not there, or was ours.
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
    }

    let state: State
    /// The main output's absolute path: whose record it is.
    let output: String
    /// The input's absolute path, or its address.
    let input: String
    /// Which file the input was, when it was looked at; nil for what is no file.
    let identity: InputIdentity?
    /// What decides the bytes apart from the input: the job's options and the version.
    let options: String
    /// The SHA-256 of the input's content, where it was read.
    var content: String?
    /// All files written; of a start none.
    var files: [File] = []

    /// The line, with its end.
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
            // Earlier versions read the list above, and nothing more.
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

    /// Reads a line; nil for what is none, such as the torn last line of a process that was killed.
    init?(_ line: some StringProtocol) {
        guard let value = try? JSONParser.parse(line),
            let state = value["state"]?.string.flatMap(State.init(rawValue:)),
            let output = value.name("output"), let input = value.name("input"),
            let options = value["options"]?.string
        else { return nil }
        var files: [File] = []
        let names = value.names("paths")
        for (place, file) in (value["files"]?.elements ?? []).enumerated() {
            guard let parts = file.elements, parts.count == 2,
                let path = Self.path(parts[0], names, place),
                let size = parts[1].integer
            else { return nil }
            files.append(File(path: path, size: size))
        }
        self.init(
            state, output: output, input: input,
            identity: value["identity"]?.string.flatMap { InputIdentity($0) }, options: options,
            content: value["content"]?.string, files: files)
    }

    private static func path(_ text: JSONValue, _ names: [String]?, _ place: Int) -> String? {
        guard let text = text.string else { return nil }
        guard let names else { return FileName.text(Array(text.utf8)) }
        return place < names.count ? names[place] : nil
    }
}

/// Which state of which file an input is, without reading it: device, number, size and last change.
struct InputIdentity: Hashable, Sendable {
    let text: String

    init?(_ text: String) {
        guard text.split(separator: ":").count == 4 else { return nil }
        self.text = text
    }
}
