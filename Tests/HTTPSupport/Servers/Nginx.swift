public import FoundationEssentials
import Glibc
public import LazyBase

/// A real nginx on 127.0.0.1 with a temporary folder; ends with its owner or the process.
///
/// What it serves, for a file `NAME` in its document root:
///
/// | path | answer |
/// |---|---|
/// | `/NAME` | with ETag, Last-Modified and ranges |
/// | `/gzip/NAME` | compressed where the client accepts that |
/// | `/slow/NAME` | at 20 000 bytes a second |
/// | `/cached/NAME`, `/stale/NAME`, `/nocache/NAME` | `max-age=3600`, `no-cache`, `no-store` |
/// | `/norange/NAME`, `/notag/NAME` | without ranges; without ETag |
/// | `/redirect/once/NAME`, `/redirect/three/NAME`, `/redirect/loop` | 302 |
/// | `/redirect/to?ADDRESS` | 302 to any address |
/// | `/auth/NAME` | 401 without an `Authorization` field |
/// | `/status/404` (403, 404, 410, 429, 500, 503) | that status |
///
/// The same stands behind HTTPS with HTTP/2, whose certificate is for 127.0.0.1 and localhost.
public final class Nginx: Sendable {
    /// One request of the access log.
    public struct Entry: Hashable, Sendable {
        /// The method, the target and the status of the answer.
        public var method: String, path: String, status: Int
        /// Bytes of the body that were sent.
        public var bodyBytes: Int
        /// The fields of the request that matter to caches; empty where there was none.
        public var range: String, ifRange: String, ifNoneMatch: String, ifModifiedSince: String
        /// The version of HTTP, such as `HTTP/2.0`.
        public var version: String
        /// The number of the connection.
        public var connection: Int
        /// More fields of the request; empty where there was none.
        public var authorization: String, cookie: String, userAgent: String
    }

    /// Why there is no nginx.
    public struct Failure: Error, CustomStringConvertible {
        /// One sentence.
        public let description: String
    }

    /// The document root, which tests fill, each with names of its own.
    public let root: String
    /// The ports on 127.0.0.1.
    public let port: Int, securePort: Int
    /// The certificate of the authority that signed the server's.
    public let authority: String
    private let folder: String
    private let process: pid_t
    private let lifeline: CInt
    private let isStopped = Locked(false)
    private let filling = Locked(())

    private static let instance = Result<Nginx, Failure> { () throws(Failure) in try Nginx() }

    /// The one that all suites of a test process share.
    public static func shared() throws(Failure) -> Nginx { try instance.get() }

    /// Starts a separate server.
    public convenience init() throws(Failure) {
        guard
            let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].first(
                where: {
                    access($0 as String, X_OK) == 0
                })
        else {
            throw Failure(
                description: "nginx is not installed; run scripts/install-packages.sh --test.")
        }
        var template = Array("/tmp/lazyimg-nginx-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(description: "No folder: \(SystemError.last).")
        }
        let folder = template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        do throws(SystemError) {
            let plain = try Sockets.listener()
            defer { close(plain.descriptor) }
            let secure = try Sockets.listener()
            defer { close(secure.descriptor) }
            try self.init(program, folder, plain: plain, secure: secure)
        } catch {
            throw Failure(description: "nginx did not start: \(error); see \(folder)/error.log.")
        }
    }

    private init(
        _ program: String, _ folder: String, plain: (descriptor: CInt, port: Int),
        secure: (descriptor: CInt, port: Int)
    ) throws(SystemError) {
        self.folder = folder
        root = folder + "/root"
        authority = folder + "/authority.pem"
        (port, securePort) = (plain.port, secure.port)
        mkdir(root, 0o755)
        let settings = NginxSettings(folder: folder, port: port, securePort: securePort)
        try Files.write(Array(settings.text.utf8), to: folder + "/nginx.conf")
        try Files.write(Array(NginxSettings.script.utf8), to: folder + "/start.sh")
        (process, lifeline) = try ChildProcess.start(
            ["/bin/sh", folder + "/start.sh", folder, program],
            handing: [plain.descriptor, secure.descriptor])
        guard isUp() else {
            stop()
            throw SystemError(code: ECONNREFUSED)
        }
    }

    deinit {
        stop()
        Files.removeFolder(folder)
    }

    /// The URL of a path, which begins with a slash.
    public func url(_ path: String, secure: Bool = false, host: String = "127.0.0.1") -> URL {
        let origin = secure ? "https://\(host):\(securePort)" : "http://\(host):\(port)"
        guard let url = URL(string: origin + path) else {
            preconditionFailure("\(path) is no path")
        }
        return url
    }

    /// Puts a file into the document root, whole or not at all; nothing changes if it is there.
    public func put(_ bytes: [UInt8], as name: String) throws(SystemError) {
        let path = "\(root)/\(name)"
        try filling.withLock { _ throws(SystemError) in
            if let present = try? Files.read(path), present == bytes { return }
            try Files.write(bytes, to: path + ".part")
            guard rename(path + ".part", path) == 0 else { throw .last }
        }
    }

    /// Takes a file out of the document root.
    public func remove(_ name: String) { unlink("\(root)/\(name)") }

    /// The requests that were answered so far, all or those for a path (with its query).
    ///
    /// Complete for what a client has read to its end.
    public func log(of path: String? = nil) -> [Entry] {
        // The server is one process and logs at the end of each answer: one more request, answered,
        // means that the entries before are written.
        _ = fetch("/sync")
        let text = (try? Files.read(folder + "/access.log")) ?? []
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap(Entry.init)
            .filter { $0.path != "/sync" && (path == nil || $0.path == path) }
    }

    /// Ends the server: connections are cut.
    public func stop() {
        let wasStopped = isStopped.withLock { stopped in
            defer { stopped = true }
            return stopped
        }
        guard !wasStopped else { return }
        close(lifeline)
        waitpid(process, nil, 0)
    }

    private func isUp() -> Bool {
        fetch("/sync", while: { waitpid(self.process, nil, WNOHANG) == 0 })
    }

    private func fetch(_ path: String, while isWorthWaiting: () -> Bool = { true }) -> Bool {
        guard let descriptor = try? Sockets.connection(port: port) else { return false }
        defer { close(descriptor) }
        let text = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard Sockets.sendSome(Array(text.utf8)[...], on: descriptor) == text.utf8.count else {
            return false
        }
        var events = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        while poll(&events, 1, 50) == 0 { guard isWorthWaiting() else { return false } }
        return Sockets.receiveSome(from: descriptor) != nil
    }
}

extension Nginx.Entry {
    init?(_ line: Substring) {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map {
            $0 == "-" ? "" : String($0)
        }
        guard parts.count == 13, let status = Int(parts[2]), let bytes = Int(parts[3]),
            let connection = Int(parts[9])
        else { return nil }
        self.init(
            method: parts[0], path: parts[1], status: status, bodyBytes: bytes, range: parts[4],
            ifRange: parts[5], ifNoneMatch: parts[6], ifModifiedSince: parts[7], version: parts[8],
            connection: connection, authorization: parts[10], cookie: parts[11],
            userAgent: parts[12])
    }
}
