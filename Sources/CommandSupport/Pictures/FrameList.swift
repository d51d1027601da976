internal import LazyFiles
internal import LazyMedia

/// Files that become the frames of one animation, in order.
struct FrameList {
    /// A file of the list.
    struct Entry {
        /// The path to open.
        let path: String
        /// Its own time, if the list says one.
        var duration: MediaTime?
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
            try self.init(pattern, path, without: output)
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
        let folder = ListFolder(of: path)
        if bytes.starts(with: "ffconcat version ".utf8) {
            try self.init(ffconcat: bytes, folder, path)
        } else {
            try self.init(json: bytes, folder, path)
        }
        if entries.isEmpty { throw MediaError(.malformed, "\(path) names no file.") }
    }

    private static func text(
        _ path: String, _ limits: DecodingLimits
    ) throws(MediaError) -> [UInt8] {
        let file = try FileBytes(name: path.systemPath, label: path)
        guard file.count <= mostBytes else {
            throw MediaError(
                .limitExceeded,
                "The list \(path) of \(file.count) bytes is larger than \(mostBytes) bytes.",
                excess: .init(
                    limit: DecodingLimits.Kind.inputBytes.rawValue, allowed: Int64(mostBytes),
                    actual: Int64(file.count)))
        }
        try limits.check(inputBytes: file.count)
        return try file.contiguous().withBytes { Array($0) }
    }

    /// A list of a million frames has 150 MB.
    private static let mostBytes = 200_000_000
}
