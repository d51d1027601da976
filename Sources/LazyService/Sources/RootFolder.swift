internal import FoundationEssentials
internal import Glibc
internal import LazyBase
public import LazyLoading

/// Loads `local:` URLs from files below a folder, and passes all others on.
///
/// Links are followed as far as they stay in the folder; no path leads out of it.
public struct RootFolder: DataLoading, StoredResponseLoading, ResponseCaching {
    private let folder: FileDescriptor
    private let next: any DataLoading
    private let seconds: Int

    /// Opens a folder; `next` loads everything else.
    ///
    /// A file is looked at again after `seconds`, which spares many looks at one that is often asked for.
    public init(
        _ path: String, next: any DataLoading, lookingEvery seconds: Int = 1
    ) throws(LoadingError) {
        self.seconds = seconds
        do throws(SystemError) {
            folder = try FileDescriptor(
                checking: SystemCalls.openPlace(
                    path, in: SystemCalls.currentFolder, followsLinks: true))
        } catch {
            throw LoadingError(
                .environment, "The folder \(path) cannot be opened: \(error).", underlying: error)
        }
        self.next = next
    }

    /// Loads a URL; a file's tag tells its versions apart.
    public func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        guard request.url.scheme?.lowercased() == "local" else {
            return try await next.load(request)
        }
        return try await BlockingPool.disk.run { () throws(LoadingError) in
            let (file, status) = try describe(request.url)
            var headers = HTTPHeaders()
            let identity = status.identity
            let version =
                "\(identity.device)-\(identity.inode)-\(status.size)-\(identity.changed.milliseconds)"
            // Clients see it, but need not know where the file is.
            headers["ETag"] = "\"\(Digest.sha256(Array(version.utf8)).hex.prefix(32))\""
            // A look costs nothing that a stale picture would be worth.
            headers["Cache-Control"] = "max-age=\(seconds), must-revalidate"
            var local = request
            // Nothing is copied, so that films of any size are read.
            local.maximumBytes = nil
            return try LoadResponse(
                local: Blob(FileBlob(file, count: status.size)), for: local, headers: headers,
                origin: .store)
        }
    }

    private func describe(_ url: URL) throws(LoadingError) -> (FileDescriptor, FileStatus) {
        let encoded = url.absoluteString.dropFirst("local:".count).drop { $0 == "/" }
        guard let bytes = PercentEncoding.decode(encoded), !bytes.isEmpty, !bytes.contains(0)
        else { throw LoadingError(.notFound, "\(url.absoluteString) names no file.") }
        let parts = bytes.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
        let name = parts.joined(separator: [UInt8(ascii: "/")]).map { CChar(bitPattern: $0) } + [0]
        do throws(SystemError) {
            // Without O_NONBLOCK, opening a pipe would wait for its writer.
            let file = try FileDescriptor(
                checking: SystemCalls.open(name, inside: folder.number, O_RDONLY | O_NONBLOCK))
            let status = try file.status()
            guard status.isFile else { throw SystemError(code: EISDIR) }
            return (file, status)
        } catch {
            let isMissing = [
                ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP, EXDEV, EISDIR, ENXIO, EINVAL, EACCES,
            ].contains(error.code)
            throw LoadingError(
                isMissing ? .notFound : .environment,
                "\(url.absoluteString) cannot be opened: \(error).", underlying: error)
        }
    }

    /// The cache of the next loader.
    public var responseCache: ResponseCache? { (next as? any ResponseCaching)?.responseCache }

    /// The cached response of the next loader.
    public func storedResponse(
        to request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse? {
        try await (next as? any StoredResponseLoading)?.storedResponse(to: request)
    }
}
