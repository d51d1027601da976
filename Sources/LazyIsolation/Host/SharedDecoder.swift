internal import CWall
internal import Glibc
internal import LazyBytes
public import LazyMedia

/// A program that decodes for all programs of one user, and has loaded the libraries already.
public enum SharedDecoder {
    /// The folder of its sockets, or nil where the user has no folder for such things (`XDG_RUNTIME_DIR`).
    ///
    /// Programs of different versions have different ones.
    public static var path: String? {
        guard let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }),
            folder.hasPrefix("/")
        else { return nil }
        return folder + "/\(DecoderProgram.name)-\(DecoderProgram.version)"
    }

    private static func socket(_ family: DecoderFamily) -> String? {
        path.map { $0 + "/" + family.rawValue }
    }

    /// Whether one answers.
    public static var isRunning: Bool {
        DecoderFamily.allCases.contains { family in
            guard let connection = connect(family) else { return false }
            close(connection)
            return true
        }
    }

    /// The one for a family, or nil where there is none.
    static func server(_ family: DecoderFamily) -> DecoderServer? {
        guard let connection = connect(family), let path = socket(family) else { return nil }
        return DecoderServer(connection: connection, path: path, family)
    }

    private static func connect(_ family: DecoderFamily) -> CInt? {
        guard let path = socket(family), access(path, F_OK) == 0 else { return nil }
        let connection = wall_connect(path)
        return connection < 0 ? nil : connection
    }

    /// Starts one, which ends when no program used it for a time; returns the folder of its sockets.
    ///
    /// Throws `.environment` where the user has no folder for them, or one listens already. The folder is only for
    /// this user; it stays when the process ends, and the next one uses it.
    public static func start(idle: Duration) throws(MediaError) -> String {
        guard let path else {
            throw MediaError(
                .environment, "XDG_RUNTIME_DIR names no folder in which a socket could be.")
        }
        guard !isRunning else {
            throw MediaError(
                .environment, "A decoder listens at \(path) already.",
                underlying: SystemError(code: EADDRINUSE))
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SystemError.last.mediaError("make", path)
        }
        for family in DecoderFamily.allCases { try start(family, idle: idle) }
        return path
    }

    private static func start(_ family: DecoderFamily, idle: Duration) throws(MediaError) {
        guard let path = socket(family) else { return }
        unlink(path)
        let listener = wall_listen(path)
        guard listener >= 0 else { throw SystemError.last.mediaError("listen at", path) }
        defer { close(listener) }
        let program = try ProgramPath.find()
        let milliseconds = CInt(clamping: Int64(max(0, min(idle / .milliseconds(1), 1e9))))
        guard DecoderProgram.spawn(program, family, listener, idle: milliseconds) >= 0 else {
            throw SystemError.last.mediaError("start", program)
        }
    }

    /// Ends the one that listens, when nobody uses it any more; false where there is none.
    public static func end() -> Bool {
        let ended = DecoderFamily.allCases.map { end($0) }
        if let path { rmdir(path) }
        return ended.contains(true)
    }

    private static func end(_ family: DecoderFamily) -> Bool {
        guard let path = socket(family), let connection = connect(family) else { return false }
        defer { close(connection) }
        var word = UInt32(wall_stop)
        guard wall_send(connection, &word, MemoryLayout<UInt32>.size, nil, 0) == 0 else {
            return false
        }
        return unlink(path) == 0
    }
}
