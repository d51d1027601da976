internal import LazyBase
internal import LazyMedia

/// Files that become the frames of one animation, in order.
struct FrameList {
    /// A file of the list.
    struct Entry {
        /// The path to open.
        var path: String
        /// Its own time, if the list says one.
        var duration: MediaTime?
        /// The folder of the list that names it; nil if the user named it, or its folder.
        var folder: ListFolder?

        /// Its bytes.
        func bytes() throws(MediaError) -> FileBytes {
            if let folder { return try folder.bytes(path) }
            guard FileKind(path) != .device else {
                throw MediaError(.malformed, "\(path) is not a regular file.")
            }
            return try FileBytes(name: path.systemPath, label: path)
        }
    }

    var entries: [Entry]
    /// How often it plays, if the list says so.
    var loop: LoopCount?
    /// Irregularities, such as missing numbers.
    var warnings: [MediaWarning] = []

    init(_ entries: [Entry], loop: LoopCount? = nil, warnings: [MediaWarning] = []) {
        self.entries = entries
        self.loop = loop
        self.warnings = warnings
    }

    /// The names of lists, which a folder may have.
    static let names = ["frames.json", "frames.ffconcat"]
    private static let endings: Set<String> = ["json", "ffconcat"]

    /// The list that a path names: a file of times, a pattern, or a folder; nil for media.
    ///
    /// `output` is a file that belongs to no list.
    init?(
        _ path: String, joinsFolders: Bool, without output: String?, limits: DecodingLimits
    ) throws(MediaError) {
        switch FileKind(path) {
        case .folder where joinsFolders:
            try self.init(folder: path, without: output, limits)
        case .nothing:
            guard let pattern = NumberPattern(path.lastName) else { return nil }
            try self.init(pattern, path, without: output, limits)
        case .file where Self.isList(path):
            try self.init(file: path, limits)
        default: return nil
        }
    }

    /// Whether a path has the extension of a list.
    static func isList(_ path: String) -> Bool {
        endings.contains(FilePath.fileExtension(of: path)?.lowercased() ?? "")
    }

    /// Reads a list of files and times.
    private init(file path: String, _ limits: DecodingLimits) throws(MediaError) {
        let bytes = try Self.text(path, limits)
        if bytes.starts(with: "ffconcat version ".utf8) {
            try self.init(ffconcat: bytes, path, limits)
        } else {
            try self.init(json: bytes, path, limits)
        }
        if entries.isEmpty { throw MediaError(.malformed, "\(path) names no file.") }
        try findFiles(in: ListFolder(of: path))
    }

    /// Throws for more entries than frames are allowed, of which each file has one at least.
    static func check(count: Int, _ limits: DecodingLimits) throws(MediaError) {
        try limits.check(frames: count)
        try limits.check(entries: count)
    }

    /// Makes paths of the names that the list has, once all of them are counted.
    private mutating func findFiles(in folder: ListFolder) throws(MediaError) {
        var known: [String: String] = [:]
        for number in entries.indices {
            let name = entries[number].path
            entries[number].folder = folder
            if let path = known[name] {
                entries[number].path = path
                continue
            }
            try Interruption.flag.check()
            let path = try folder.path(of: name)
            known[name] = path
            entries[number].path = path
        }
    }

    private static func text(
        _ path: String, _ limits: DecodingLimits
    ) throws(MediaError) -> [UInt8] {
        let file = try FileBytes(name: path.systemPath, label: path)
        guard file.count <= maxBytes else {
            throw MediaError(
                .limitExceeded,
                "The list \(path) of \(file.count) bytes is larger than \(maxBytes) bytes.",
                excess: .init(
                    limit: DecodingLimits.Kind.inputBytes.rawValue, allowed: Int64(maxBytes),
                    actual: Int64(file.count)))
        }
        try limits.check(inputBytes: file.count)
        return try file.contiguous().withBytes { Array($0) }
    }

    /// A list of a million frames has 150 MB.
    private static let maxBytes = 200_000_000
}
