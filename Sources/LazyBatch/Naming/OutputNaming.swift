internal import LazyBase

/// How the outputs of many inputs are named.
public struct OutputNaming: Equatable, Sendable {
    /// The folder of all outputs; nil for next to each input.
    public var folder: String?
    /// Whether the inputs' folders are reproduced below it.
    public var keepsTree = false
    /// The folder that is removed from the inputs' paths first.
    public var base: String? { didSet { basePrefix = Self.prefix(of: base) } }
    /// The name, such as `{dir}/{name}-320.webp`; nil for the standard name of the work.
    public var pattern: Pattern?

    /// Makes a naming.
    public init(
        folder: String? = nil, keepsTree: Bool = false, base: String? = nil, pattern: Pattern? = nil
    ) {
        self.folder = folder
        self.keepsTree = keepsTree
        self.base = base
        self.pattern = pattern
        basePrefix = Self.prefix(of: base)
    }

    /// What paths in the base begin with, or nil without a base.
    private var basePrefix: String?

    private static func prefix(of base: String?) -> String? {
        guard let base else { return nil }
        let head = FilePath.normalized(base)
        return head.endsInSlash || head.isEmpty ? head : head + "/"
    }

    /// A path with the fields `{name}`, `{ext}`, `{dir}`, `{number}` and `{hash}`.
    public struct Pattern: Equatable, Sendable {
        private enum Piece: Equatable {
            case text(String)
            case field(Field)
        }
        private enum Field: String, CaseIterable { case name, ext, dir, number, hash }
        private let pieces: [Piece]

        /// Reads a pattern.
        public init(_ text: String) throws(PatternError) {
            var pieces: [Piece] = []
            var rest = text[...]
            while let mark = rest.firstIndex(of: "{") {
                if mark > rest.startIndex { pieces.append(.text(String(rest[..<mark]))) }
                guard let close = rest[mark...].firstIndex(of: "}") else {
                    throw PatternError("a { has no }")
                }
                let word = String(rest[rest.index(after: mark)..<close])
                guard let field = Field(rawValue: word) else {
                    let known = Field.allCases.map { "{\($0.rawValue)}" }
                    throw PatternError("the fields are \(known.joined(separator: " "))")
                }
                pieces.append(.field(field))
                rest = rest[rest.index(after: close)...]
            }
            if !rest.isEmpty { pieces.append(.text(String(rest))) }
            guard !text.isEmpty, !text.contains("\0"), !text.endsInSlash else {
                throw PatternError("it must be the name of a file")
            }
            self.pieces = pieces
        }

        /// The text behind the last field, where a name's extension is.
        package var ending: String? {
            if case .text(let text)? = pieces.last { text } else { nil }
        }

        /// Whether it begins with a slash of its own.
        var isRooted: Bool {
            if case .text(let text)? = pieces.first { text.isRooted } else { false }
        }

        /// The name for an input, whose folder below the output's is `folder`.
        ///
        /// Only the pattern itself and `{dir}` have folders: a field never adds, skips or leaves one, whatever the input
        /// is called.
        func callAsFunction(_ input: NamedInput, folder: String) -> String {
            var parts = [Part()]
            for piece in pieces {
                switch piece {
                case .text(let text):
                    for (place, name) in text.namesBetweenSlashes.enumerated() {
                        if place > 0 { parts.append(Part()) }
                        parts[parts.count - 1].text += name
                    }
                case .field(let field):
                    parts[parts.count - 1].text += value(of: field, input, folder: folder)
                    if field != .dir { parts[parts.count - 1].hasField = true }
                }
            }
            return parts.map(\.safe).joined(separator: "/")
        }

        private func value(of field: Field, _ input: NamedInput, folder: String) -> String {
            switch field {
            case .name: input.name.withoutSlashes
            case .ext: input.fileExtension.withoutSlashes
            case .number: String(input.number)
            case .dir: folder.isEmpty ? "." : folder
            case .hash: String(Digest.sha256(FileName.bytes(input.label)).hex.prefix(16))
            }
        }

        /// What stands between two slashes of a pattern.
        private struct Part {
            var text = ""
            /// Whether a name of the input is in it.
            var hasField = false

            // `.` and `..` are folders, and nothing is none.
            var safe: String { hasField && ["", ".", ".."].contains(text) ? "_" + text : text }
        }
    }

    /// The output of an input: a folder ends in a slash; nil for next to the input.
    public func output(for input: NamedInput) -> String? {
        let tree = keepsTree || pattern != nil ? self.tree(of: input) : ""
        guard let pattern else {
            guard let folder else { return nil }
            return Self.joined(folder, keepsTree ? tree : "") + "/"
        }
        let path = pattern(input, folder: tree)
        return pattern.isRooted ? path : Self.joined(folder ?? ".", path)
    }

    // The folder of an input below the output's folder, and never outside of it.
    private func tree(of input: NamedInput) -> String {
        if base == nil, !keepsTree, let subfolder = input.subfolder {
            return subfolder.pathParts.filter { $0 != "." && $0 != ".." }.joined(separator: "/")
        }
        guard let path = input.path else { return "" }
        var normalized = FilePath.normalized(path)[...]
        if let basePrefix, normalized.hasPathPrefix(basePrefix) {
            normalized = Substring(normalized.utf8.dropFirst(basePrefix.utf8.count))
        }
        var parts = normalized
        if parts.isRooted { parts = Substring(parts.utf8.dropFirst()) }
        if parts.utf8.starts(with: "..".utf8) {
            return parts.pathParts.dropLast().filter { $0 != ".." }.joined(separator: "/")
        }
        // A normalized path has such parts at its beginning only.
        return parts.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(parts[..<$0]) } ?? ""
    }

    private static func joined(_ folder: String, _ rest: String) -> String {
        let folder =
            folder.utf8.count > 1 && folder.endsInSlash ? String(folder.dropLast()) : folder
        if rest.isEmpty || rest == "." { return folder }
        return folder.endsInSlash ? folder + rest : folder + "/" + rest
    }
}

/// What is wrong with a pattern; it completes a sentence about the value of an option.
public struct PatternError: Error, Sendable, CustomStringConvertible {
    /// The end of a sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension String {
    /// The texts between slashes, also empty ones.
    fileprivate var namesBetweenSlashes: [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
    }

    /// A name of a file system has none; that of a caller may.
    fileprivate var withoutSlashes: String {
        utf8.contains(UInt8(ascii: "/")) ? namesBetweenSlashes.joined(separator: "_") : self
    }
}
