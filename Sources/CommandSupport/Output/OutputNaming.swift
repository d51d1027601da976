internal import FoundationEssentials
internal import LazyFiles

/// How a batch names the file of each input.
package struct OutputNaming: Equatable, Sendable {
    /// The folder of all outputs; nil for beside each input.
    package var folder: String?
    /// Whether the folders of the inputs are made again below it.
    package var keepsTree = false
    /// What is cut off the inputs' paths before that.
    package var base: String?
    /// The name: `{dir}/{name}-320.webp`; nil for what the job would call it.
    package var pattern: Pattern?

    package init(
        folder: String? = nil, keepsTree: Bool = false, base: String? = nil, pattern: Pattern? = nil
    ) {
        self.folder = folder
        self.keepsTree = keepsTree
        self.base = base
        self.pattern = pattern
    }

    /// A path with places for what differs from input to input.
    package struct Pattern: Equatable, Sendable {
        private enum Piece: Equatable {
            case text(String)
            case field(Field)
        }
        package enum Field: String, CaseIterable { case name, ext, dir, number, hash }
        private let pieces: [Piece]

        /// Reads a pattern; throws what is wrong with it.
        package init(_ text: String) throws(ArgumentError) {
            var pieces: [Piece] = []
            var rest = text[...]
            while let mark = rest.firstIndex(of: "{") {
                if mark > rest.startIndex { pieces.append(.text(String(rest[..<mark]))) }
                guard let close = rest[mark...].firstIndex(of: "}") else {
                    throw ArgumentError("a { has no }")
                }
                let word = String(rest[rest.index(after: mark)..<close])
                guard let field = Field(rawValue: word) else {
                    let known = Field.allCases.map { "{\($0.rawValue)}" }
                    throw ArgumentError("the fields are \(known.joined(separator: " "))")
                }
                pieces.append(.field(field))
                rest = rest[rest.index(after: close)...]
            }
            if !rest.isEmpty { pieces.append(.text(String(rest))) }
            guard !text.isEmpty, !text.contains("\0"), !text.endsInSlash else {
                throw ArgumentError("it must be the name of a file")
            }
            self.pieces = pieces
        }

        package func callAsFunction(_ input: Input, folder: String) -> String {
            var path = ""
            for piece in pieces {
                switch piece {
                case .text(let text): path += text
                case .field(.name): path += input.address.name
                case .field(.ext): path += input.address.fileExtension
                case .field(.number): path += String(input.number)
                case .field(.dir): path += folder.isEmpty ? "." : folder
                case .field(.hash):
                    path += String(Digest.sha256(FileName.bytes(input.label)).hex.prefix(16))
                }
            }
            return path
        }
    }

    /// What a job is to be told after `-o`: a folder ends in a slash; nil for beside the input.
    package func output(for input: Input) -> String? {
        let tree = keepsTree || pattern != nil ? self.tree(of: input) : ""
        guard let pattern else {
            guard let folder else { return nil }
            return Self.joined(folder, keepsTree ? tree : "") + "/"
        }
        let path = pattern(input, folder: tree)
        return path.isRooted ? path : Self.joined(folder ?? ".", path)
    }

    // The folder of an input, such that nothing can be written outside of the output's.
    private func tree(of input: Input) -> String {
        if base == nil, !keepsTree, let subfolder = input.subfolder { return subfolder }
        let path: String
        switch input.address {
        case .path(let own): path = own
        case .remote(let url): path = (url.host ?? "") + "/" + url.path
        case .standardInput, .data: return ""
        }
        var canonical = CanonicalPath.normalized(path)[...]
        if let base {
            let head = CanonicalPath.normalized(base)
            let prefix = head.endsInSlash || head.isEmpty ? head : head + "/"
            if canonical.hasPathPrefix(prefix) {
                canonical = Substring(canonical.utf8.dropFirst(prefix.utf8.count))
            }
        }
        let parts = canonical.pathParts.dropLast().filter { $0 != ".." }
        return parts.joined(separator: "/")
    }

    private static func joined(_ folder: String, _ rest: String) -> String {
        let folder =
            folder.utf8.count > 1 && folder.endsInSlash ? String(folder.dropLast()) : folder
        if rest.isEmpty || rest == "." { return folder }
        return folder.endsInSlash ? folder + rest : folder + "/" + rest
    }
}
