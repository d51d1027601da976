internal import CSandbox
internal import Glibc
internal import LazyBase
public import LazyMedia

/// A program that decodes for all programs of one user, and has loaded the libraries already.
public enum SharedDecoder {
    /// The folder of its sockets, or nil where the user has no folder for such things (`XDG_RUNTIME_DIR`).
    ///
    /// Programs of different versions have different ones.
    public static var path: String? {
        parentPath.map { $0 + "/" + name }
    }

    private static let name = "\(DecoderProgram.name)-\(DecoderProgram.version)"

    private static var parentPath: String? {
        getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }.flatMap {
            $0.hasPrefix("/") ? $0 : nil
        }
    }

    /// The open folder of the sockets and the one that holds it; neither may be another user's, or a link of one.
    private static func folders(
        making: Bool
    ) throws(SystemError) -> (parent: OwnedFolder, sockets: OwnedFolder) {
        guard let parentPath else { throw SystemError(code: ENOENT) }
        let parent = try OwnedFolder.open(parentPath, making: false, isPrivate: false)
        return (parent, try parent.privateFolder(name, making: making))
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
        guard let connection = connect(family), let path else { return nil }
        return DecoderServer(connection: connection, path: path + "/" + family.rawValue, family)
    }

    private static func connect(_ family: DecoderFamily) -> CInt? {
        // Most users have none, so this is all that a command does.
        guard let path, access(path, F_OK) == 0,
            let sockets = try? folders(making: false).sockets
        else { return nil }
        return connect(family, in: sockets)
    }

    private static func connect(_ family: DecoderFamily, in sockets: OwnedFolder) -> CInt? {
        let connection = withExtendedLifetime(sockets) {
            sandbox_connect(sockets.openPath(of: family.rawValue))
        }
        return connection < 0 ? nil : connection
    }

    /// Starts one, which ends when no program used it for a time; returns the folder of its sockets.
    ///
    /// Throws `.environment` where the user has no folder for them, or one listens already. The folder is only for
    /// this user, and a link or another user's folder in its place is refused; it stays when the process ends, and the
    /// next one uses it.
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
        let sockets: OwnedFolder
        do throws(SystemError) { sockets = try folders(making: true).sockets } catch {
            guard [EPERM, ELOOP, ENOTDIR].contains(error.code) else {
                throw error.mediaError("make", path)
            }
            throw MediaError(
                .environment,
                "\(path) is no folder of this user alone, so no decoder listens there.",
                underlying: error)
        }
        for family in DecoderFamily.allCases { try start(family, in: sockets, idle: idle) }
        return path
    }

    private static func start(
        _ family: DecoderFamily, in sockets: OwnedFolder, idle: Duration
    ) throws(MediaError) {
        let name = family.rawValue
        sockets.remove(name)
        let listener = withExtendedLifetime(sockets) { sandbox_listen(sockets.openPath(of: name)) }
        guard listener >= 0 else {
            throw SystemError.last.mediaError("listen at", sockets.path + "/" + name)
        }
        defer { close(listener) }
        let program = try ProgramPath.find()
        let milliseconds = CInt(clamping: Int64(max(0, min(idle / .milliseconds(1), 1e9))))
        guard DecoderProgram.spawn(program, family, listener, idle: milliseconds) >= 0 else {
            throw SystemError.last.mediaError("start", program)
        }
    }

    /// Ends the one that listens, when nobody uses it any more; false where there is none.
    public static func end() -> Bool {
        guard let (parent, sockets) = try? folders(making: false) else { return false }
        let ended = DecoderFamily.allCases.map { end($0, in: sockets) }
        parent.removeFolder(name)
        return ended.contains(true)
    }

    private static func end(_ family: DecoderFamily, in sockets: OwnedFolder) -> Bool {
        guard let connection = connect(family, in: sockets) else { return false }
        defer { close(connection) }
        var word = UInt32(sandbox_stop)
        guard sandbox_send(connection, &word, MemoryLayout<UInt32>.size, nil, 0) == 0 else {
            return false
        }
        return sockets.remove(family.rawValue)
    }
}
