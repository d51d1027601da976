import Glibc
internal import LazyBase
internal import LazyBatch
internal import LazyMedia
internal import LazyPipeline

/// One input of a batch and its job.
struct ListedItem: Sendable {
    let input: Input
    let words: JobWords
    /// The output, as for `-o`.
    let output: String?
    /// Whether that is the file itself, not a folder.
    let isNamed: Bool
}

/// The inputs of a batch from arguments, patterns, lists and manifests, each once, in order.
struct BatchList {
    /// The sources of inputs.
    struct Sources {
        /// The job of inputs that name none; nil if only a manifest names jobs.
        var words: JobWords?
        /// Paths, patterns and URLs.
        var arguments: [String] = []
        var lists: [String] = []
        var manifests: [String] = []
        var isNullSeparated = false
        /// Which media in folders are inputs; nil where a folder is no input.
        var filter: FolderFilter?
        /// Whether a folder without media is no mistake, since something may have to be removed.
        var prunes = false
        var naming = OutputNaming()
    }

    private let sources: Sources
    private(set) var items: [ListedItem] = []
    /// Invalid entries, each with its list and line.
    private(set) var faults: [CommandFailure] = []
    /// The searched folders.
    private(set) var searches: [(folder: Input, search: FolderSearch)] = []
    /// All that was named and is no file, also folders that are missing.
    private(set) var roots: [String] = []
    private var seen: Set<NameDigest> = []

    /// Collects all inputs; throws if a list cannot be read or a pattern matches nothing.
    init(_ sources: Sources) throws(CommandFailure) {
        self.sources = sources
        if (sources.lists + sources.manifests).filter({ $0 == "-" }).count > 1 {
            throw .usage("Standard input can be read only once.")
        }
        for argument in sources.arguments { try add(argument: argument) }
        for list in sources.lists { try add(list: list) }
        for manifest in sources.manifests { try add(manifest: manifest) }
    }

    private mutating func add(argument: String) throws(CommandFailure) {
        guard Glob.isPattern(argument), case .path = try InputAddress(argument),
            FileKind(argument) == .nothing
        else { return try add(argument, nil, sources.words) }
        let files = Glob.files(argument)
        if files.isEmpty {
            throw CommandFailure(
                .noInput, "missing", "No file matches \(argument).", hint: "Check the pattern.")
        }
        for file in files { try add(file, nil, sources.words) }
    }

    private mutating func add(list: String) throws(CommandFailure) {
        let separator = sources.isNullSeparated ? 0 : UInt8(ascii: "\n")
        for (number, line) in try Self.lines(of: list, separator) {
            let text = FileName.text(Self.content(line, keepsReturns: sources.isNullSeparated))
            if !text.isEmpty { attempt(list, number, text, nil, sources.words) }
        }
    }

    private mutating func add(manifest: String) throws(CommandFailure) {
        for (number, line) in try Self.lines(of: manifest, UInt8(ascii: "\n")) {
            let content = Self.content(line, keepsReturns: false)
            guard let text = String(validating: content, as: UTF8.self) else {
                addFault("is not UTF-8; such names belong in inputBytes", manifest, number)
                continue
            }
            if text.allSatisfy(\.isWhitespace) { continue }
            do throws(Manifest.Fault) {
                let entry = try Manifest.entry(text)
                attempt(manifest, number, entry.input, entry.output, words(of: entry))
            } catch {
                addFault(error.reason, manifest, number)
            }
        }
    }

    // The options of the command line apply to lines with the same job.
    private func words(of entry: Manifest.Entry) -> JobWords? {
        guard let name = entry.job ?? sources.words?.name else { return nil }
        let common = name == sources.words?.name ? sources.words?.words ?? [] : []
        return JobWords(name: name, words: common + entry.words)
    }

    private mutating func attempt(
        _ list: String, _ number: Int, _ input: String, _ output: String?, _ words: JobWords?
    ) {
        do throws(CommandFailure) {
            try add(input, output, words)
        } catch {
            var fault = error
            fault.input = Self.place(list, number)
            faults.append(fault)
        }
    }

    private mutating func add(
        _ text: String, _ output: String?, _ words: JobWords?
    ) throws(CommandFailure) {
        guard let words else {
            throw .usage("No job is named for \(text).", hint: "Name one after 'batch'.")
        }
        if text == "-" {
            throw .usage(
                "Standard input cannot be an input of a batch.",
                hint: "Read a list with --files-from -.")
        }
        let input = try Input.parse([text])[0]
        if case .path(let path) = input.address, FileKind(path) != .file { roots.append(path) }
        if let filter = sources.filter, case .path(let path) = input.address,
            FileKind(path) == .folder
        {
            let search = FolderSearch(path, output: sources.naming.folder, filter)
            searches.append((input, search))
            if search.isEmpty(prunes: sources.prunes) { throw search.nothing(input) }
            for file in search.files {
                add(sources.input(file, number: items.count + 1), file.path, output, words)
            }
            return
        }
        add(Input(input, number: items.count + 1), text, output, words)
    }

    private mutating func add(
        _ input: Input, _ text: String, _ output: String?, _ words: JobWords
    ) {
        let job = words.words.joined(separator: "\0")
        let key = "\(text)\0\0\(output ?? "")\0\0\(words.name)\0\0\(job)"
        guard seen.insert(NameDigest(key)).inserted else { return }
        items.append(sources.item(input, output, words))
    }

    private mutating func addFault(_ reason: String, _ list: String, _ number: Int) {
        var fault = CommandFailure(
            .usage, "malformed", "Line \(number) of \(Self.name(list)) \(reason).")
        fault.input = Self.place(list, number)
        faults.append(fault)
    }

    private static func place(_ list: String, _ number: Int) -> String { "\(name(list)):\(number)" }

    private static func name(_ list: String) -> String { list == "-" ? "standard input" : list }

    private static func lines(
        of list: String, _ separator: UInt8
    ) throws(CommandFailure) -> [(Int, ArraySlice<UInt8>)] {
        let bytes = try AddressList.bytes(list)
        let lines = bytes.split(separator: separator, omittingEmptySubsequences: false)
        return lines.enumerated().map { ($0 + 1, $1) }
    }

    // Spaces may be part of a name; a carriage return is not.
    private static func content(
        _ line: ArraySlice<UInt8>, keepsReturns: Bool
    ) -> ArraySlice<UInt8> {
        let isReturn = !keepsReturns && line.last == UInt8(ascii: "\r")
        return isReturn ? line.dropLast() : line
    }
}

extension BatchList.Sources {
    /// The input of a file that was found in a folder.
    func input(_ file: FolderSearch.File, number: Int) -> Input {
        // --preserve-tree recreates the whole path, which includes the subfolder.
        let subfolder = naming.keepsTree ? "" : file.subfolder
        return Input(.init(path: file.path, subfolder: subfolder), number: number)
    }

    /// The item of an input; `output` is the name that a list gives.
    func item(_ input: Input, _ output: String?, _ words: JobWords) -> ListedItem {
        ListedItem(
            input: input, words: words,
            output: output ?? naming.output(for: NamedInput(input)),
            isNamed: output.map { !$0.endsInSlash && input.subfolder == nil }
                ?? (naming.pattern != nil))
    }
}
