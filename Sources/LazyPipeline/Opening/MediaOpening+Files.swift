internal import FoundationEssentials
internal import Glibc
internal import LazyBase
internal import LazyLoading
package import LazyMedia

extension MediaOpening.Source {
    /// The bytes of what is on this machine; descriptors and pipes are read to their end.
    ///
    /// Blocks while it reads.
    package func bytes(_ limits: DecodingLimits) throws(MediaError) -> any ByteSource {
        switch self {
        case .path(let path): try Self.bytes(of: path, limits)
        case .file(_, let open): try open()
        case .bytes(let bytes): bytes
        case .descriptor(let number): try MemoryBytes(reading: number, limits: limits)
        case .arriving, .request, .opened, .list:
            throw MediaError(.unsupported, "It cannot be opened as a file.")
        }
    }

    private static func bytes(
        of path: String, _ limits: DecodingLimits
    ) throws(MediaError) -> any ByteSource {
        var status = stat()
        _ = stat(path.systemPath, &status)
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            if let error = folderError(path) { throw error.mediaError("read", path) }
            throw MediaError(
                .environment, "\(path) is a folder.", underlying: SystemError(code: EISDIR))
        case S_IFIFO, S_IFCHR:
            // A pipe, such as that of process substitution, has no size and cannot seek.
            let file = try openForReading(path)
            return try MemoryBytes(reading: file.number, limits: limits)
        default: return try FileBytes(name: path.systemPath, label: path)
        }
    }

    private static func openForReading(_ path: String) throws(MediaError) -> FileDescriptor {
        let number = open(path.systemPath, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError.last.mediaError("open", path) }
        return FileDescriptor(number)
    }

    /// Why the names in a folder cannot be listed to their end, or its files not be reached; nil if they can.
    private static func folderError(_ path: String) -> SystemError? {
        guard access(path.systemPath, R_OK | X_OK) == 0, let handle = opendir(path.systemPath)
        else { return .last }
        defer { closedir(handle) }
        errno = 0
        while readdir(handle) != nil { errno = 0 }
        return errno == 0 ? nil : .last
    }

    /// What arrives by a pipe; nil for what is there, or has a length.
    ///
    /// Blocks until a named pipe has a writer.
    func pipe() throws(MediaError) -> LoadResponse? {
        var status = stat()
        let body: LoadBody
        switch self {
        case .descriptor(let number):
            guard fstat(number, &status) == 0,
                [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
            else { return nil }
            body = LoadBody(reading: number)
        case .path(let path):
            guard stat(path.systemPath, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
                return nil
            }
            body = LoadBody(reading: try Self.openForReading(path), maximumBytes: nil)
        case .file, .bytes, .arriving, .request, .opened, .list: return nil
        }
        return LoadResponse(head: ResponseHead(url: Self.nowhere, origin: .local), body: body)
    }

    /// The URL of a file, by which a playlist names others.
    var fileURL: URL? {
        guard case .path(let path) = self else { return nil }
        let bytes = FilePath.absolute(path).systemPath.dropLast().map { UInt8(bitPattern: $0) }
        return URL(string: "file://" + PercentEncoding.encode(bytes, allowed: "/-._~"))
    }

    static let nowhere = URL(filePath: "/")
}
