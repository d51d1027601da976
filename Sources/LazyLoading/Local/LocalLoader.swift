package import FoundationEssentials
internal import Glibc
internal import LazyBase

/// Loads `file:` and `data:` URLs, and passes all others on.
///
/// Files are not copied: the `stored` bytes of the body are the file itself. Pipes and devices are
/// read as streams.
public struct LocalLoader: DataLoading, StoredResponseLoading, ResponseCaching {
    private let next: any DataLoading

    /// Makes a loader around the one that loads from the network.
    public init(next: any DataLoading) { self.next = next }

    /// Loads local URLs.
    public func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        switch request.url.scheme?.lowercased() {
        case "data":
            guard let data = try DataURL(request.url.absoluteString) else { break }
            let headers = HTTPHeaders(contentType: data.mediaType)
            return try LoadResponse(local: Blob(data.bytes), for: request, headers: headers)
        case "file":
            guard let file = try FileURL(request.url.absoluteString) else { break }
            return try await Self.open(file, for: request)
        case nil:
            throw LoadingError(
                .badAddress, "The URL has no scheme: \(request.url.shortLabel).")
        default: break
        }
        return try await next.load(request)
    }

    /// The cache of the next loader.
    public var responseCache: ResponseCache? { (next as? any ResponseCaching)?.responseCache }

    /// The cached response of the next loader.
    public func storedResponse(
        to request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse? {
        try await (next as? any StoredResponseLoading)?.storedResponse(to: request)
    }

    /// What tells the bytes of a regular file from those of its other versions, and their number; nil for others.
    ///
    /// Blocks while the system is asked.
    package static func version(
        of url: URL
    ) throws(LoadingError) -> (version: String, byteCount: Int)? {
        guard let file = try FileURL(url.absoluteString) else { return nil }
        let (descriptor, status) = try describe(file)
        guard status.isFile, !isMadeWhenRead(descriptor, status) else { return nil }
        let (identity, time) = (status.identity, try modificationTime(of: descriptor, file.path))
        return ("file:\(identity.device),\(identity.inode),\(status.size),\(time)", status.size)
    }

    // In nanoseconds: files may change twice in a millisecond.
    private static func modificationTime(
        of file: FileDescriptor, _ path: String
    ) throws(LoadingError) -> String {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw failure(.last, path) }
        return "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    private static func open(
        _ file: FileURL, for request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse {
        let (descriptor, status) = try await BlockingPool.disk.run { () throws(LoadingError) in
            try describe(file)
        }
        guard status.isFile, !isMadeWhenRead(descriptor, status) else {
            let body = LoadBody(reading: descriptor, maximumBytes: request.maximumBytes)
            return LoadResponse(head: ResponseHead(url: request.url, origin: .local), body: body)
        }
        return try LoadResponse(local: Blob(FileBlob(descriptor, count: status.size)), for: request)
    }

    // Without O_NONBLOCK, opening a pipe would wait for its writer and could not be cancelled.
    private static func describe(
        _ file: FileURL
    ) throws(LoadingError) -> (FileDescriptor, FileStatus) {
        let name = file.pathBytes.map { CChar(bitPattern: $0) } + [0]
        do throws(SystemError) {
            let descriptor = try FileDescriptor(
                checking: Glibc.open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
            let status = try descriptor.status()
            guard [S_IFREG, S_IFIFO, S_IFCHR, S_IFBLK].contains(status.mode & S_IFMT) else {
                throw SystemError(code: status.isFolder ? EISDIR : EINVAL)
            }
            return (descriptor, status)
        } catch {
            throw failure(error, file.path)
        }
    }

    // Files in /proc report no size and have contents all the same.
    private static func isMadeWhenRead(_ file: FileDescriptor, _ status: FileStatus) -> Bool {
        guard status.size == 0 else { return false }
        return (try? file.bytes(at: 0, count: 1))?.count == 1
    }

    private static func failure(_ error: SystemError, _ path: String) -> LoadingError {
        let isMissing = [ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP].contains(error.code)
        return LoadingError(
            isMissing ? .notFound : .environment, "Cannot open \(path): \(error).",
            underlying: error)
    }
}

extension HTTPHeaders {
    fileprivate init(contentType: String?) {
        self.init()
        self["Content-Type"] = contentType
    }
}
