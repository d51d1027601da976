internal import LazyFiles
internal import LazyMedia

/// What a journal says of one output: a JSON line.
package struct JournalRecord: Equatable, Sendable {
    /// How far it is.
    package enum State: String, Sendable {
        /// It is being made, and was not there, or was ours.
        case start
        /// It is made.
        case done
        /// It could not be made.
        case error
    }

    /// A file that was written.
    package struct File: Equatable, Sendable {
        package let path: String
        package let size: Int

        package init(path: String, size: Int) {
            self.path = path
            self.size = size
        }
    }

    package let state: State
    /// The main output's absolute path: whose record it is.
    package let output: String
    /// The input's absolute path, or its address.
    package let input: String
    /// Which file the input was, when it was looked at; nil for what is no file.
    package let identity: InputIdentity?
    /// What decides the bytes apart from the input: the job's options and the version.
    package let options: String
    /// The SHA-256 of the input's content, where it was read.
    package var content: String?
    /// All files written; of a start none.
    package var files: [File] = []

    /// The line, with its end.
    package var line: String {
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

    package init(
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
    package init?(_ line: some StringProtocol) {
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
package struct InputIdentity: Hashable, Sendable {
    package let text: String

    package init?(_ text: String) {
        guard text.split(separator: ":").count == 4 else { return nil }
        self.text = text
    }
}
