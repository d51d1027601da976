internal import CWall
internal import Glibc
internal import LazyBytes
public import LazyMedia

/// A program that decodes for all programs of one user, and has loaded the libraries already.
public enum SharedDecoder {
    /// Its socket, or nil where the user has no folder for such things (`XDG_RUNTIME_DIR`).
    public static var path: String? {
        guard let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }),
            folder.hasPrefix("/")
        else { return nil }
        return folder + "/lazyimg-decoder"
    }

    /// Whether one answers.
    public static var isRunning: Bool {
        guard let connection = connect() else { return false }
        close(connection)
        return true
    }

    /// A connection to it, or nil where there is none.
    static func connect() -> CInt? {
        guard let path, access(path, F_OK) == 0 else { return nil }
        let connection = wall_connect(path)
        return connection < 0 ? nil : connection
    }

    /// Starts one, which ends when no program used it for a time; returns its socket.
    ///
    /// Throws `.environment` where the user has no folder for the socket, or one listens already. The socket
    /// is only for this user; it stays when the process ends, and the next one replaces it.
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
        unlink(path)
        let listener = wall_listen(path)
        guard listener >= 0 else { throw SystemError.last.mediaError("listen at", path) }
        defer { close(listener) }
        let program = try DecoderHost.programPath()
        let milliseconds = CInt(clamping: Int64(max(0, min(idle / .milliseconds(1), 1e9))))
        let words: [UnsafeMutablePointer<CChar>?] = [
            strdup(DecoderProgram.name), strdup("\(milliseconds)"),
        ]
        defer { for word in words { free(word) } }
        let started = wall_spawn(
            program, words.map { $0.map { UnsafePointer($0) } } + [nil], listener)
        guard started >= 0 else {
            throw SystemError.last.mediaError("start", program)
        }
        return path
    }

    /// Ends the one that listens, when nobody uses it any more; false where there is none.
    public static func end() -> Bool {
        guard let path, let connection = connect() else { return false }
        defer { close(connection) }
        var word = UInt32(wall_stop)
        guard wall_send(connection, &word, MemoryLayout<UInt32>.size, nil, 0) == 0 else {
            return false
        }
        return unlink(path) == 0
    }
}
