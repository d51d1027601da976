package import FoundationEssentials
import Glibc
internal import LazyBase

/// Where a playlist came from: the base of the addresses in it, which also decides what they may name.
///
/// A playlist from the network names addresses of http and https, never files, and none without encryption if it
/// is encrypted itself. A playlist in a file names regular files in its folder, and addresses. A playlist without
/// an address, such as that of a pipe, names whole addresses.
package struct StreamBase: Sendable {
    /// The address of the playlist; nil if it has none.
    package let url: URL?
    /// The host that may be in a private network because the user named it; other hosts are public.
    let trustedHost: String
    /// The folder of the first playlist with all links followed, outside of which its files must not be.
    private let root: String?

    /// Makes the base of a playlist, which the user may have named by another address.
    package init(_ url: URL?, namedAs named: URL? = nil) {
        self.url = url
        trustedHost = (named ?? url)?.host()?.lowercased() ?? ""
        root = url.flatMap { url in
            guard url.scheme?.lowercased() == "file" else { return nil }
            return (try? FileURL(url.absoluteString)).flatMap {
                Self.realPath(FileName.text($0.pathBytes).parentFolder)
            }
        }
    }

    private init(_ url: URL?, _ base: StreamBase) {
        self.url = url
        (trustedHost, root) = (base.trustedHost, base.root)
    }

    /// The base of a playlist that another one names, or of one that a redirect led to.
    func moved(to url: URL) -> StreamBase { StreamBase(url, self) }

    /// The address that a reference means.
    func address(_ reference: String) throws(StreamError) -> URL {
        let label = String(reference.prefix(200))
        guard !reference.isEmpty, !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw .malformed(
                "The playlist names '\(label.filter { $0 >= " " })', which is no address.")
        }
        let scheme = Self.scheme(of: reference)
        if scheme == nil, root != nil, let url, url.scheme?.lowercased() == "file" {
            return try file(reference, beside: url)
        }
        guard let target = URL(string: Self.encoded(reference), relativeTo: url)?.absoluteURL,
            let scheme = target.scheme?.lowercased()
        else { throw .malformed("The playlist names '\(label)', which is no address.") }
        switch scheme {
        case "http" where url?.scheme?.lowercased() == "https":
            throw .malformed("The playlist is encrypted and names \(label), which is not.")
        case "http", "https":
            guard target.host()?.isEmpty == false else {
                throw .malformed("The playlist names '\(label)', which is no address.")
            }
            return target
        case "data": return target
        case "file" where root != nil: return target
        case "file":
            throw .malformed("The playlist names the file \(label), which only one in a file may.")
        default:
            throw .unsupported(
                "The playlist names \(label), and only http, https and files are read.")
        }
    }

    /// Throws for a file outside of the folder of the playlist, and for what is no regular file; blocks.
    func check(_ target: URL) throws(StreamError) {
        guard target.scheme?.lowercased() == "file" else { return }
        guard let file = try? FileURL(target.absoluteString) else {
            throw .malformed("The playlist names \(target.shortLabel), which is no file.")
        }
        let path = FileName.text(file.pathBytes)
        guard let real = Self.realPath(path) else {
            let error = SystemError(code: ENOENT)
            throw .loading(
                LoadingError(
                    .notFound, "The playlist names \(path), which does not exist.",
                    underlying: error))
        }
        guard let root, real.hasPathPrefix(root.endsInSlash ? root : root + "/") else {
            throw .malformed("The playlist names \(path), which is not in its folder.")
        }
        var status = stat()
        guard stat(real.systemPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .malformed("The playlist names \(path), which is not a regular file.")
        }
    }

    // Programs write names as they are; the format wants them encoded.
    private func file(_ reference: String, beside url: URL) throws(StreamError) -> URL {
        let base = try? FileURL(url.absoluteString)
        let folder = FileName.text(base?.pathBytes ?? []).parentFolder
        let encoded = reference.prefix { $0 != "?" && $0 != "#" }
        let names = [reference, PercentEncoding.text(encoded) ?? reference]
        let paths = names.map { $0.isRooted ? $0 : FilePath.joined(folder, $0) }
        let path = paths.first { access($0.systemPath, F_OK) == 0 } ?? paths[0]
        let bytes = path.systemPath.dropLast().map { UInt8(bitPattern: $0) }
        guard let target = URL(string: "file://" + PercentEncoding.encode(bytes, allowed: "/-._~"))
        else { throw .malformed("The playlist names '\(reference)', which is no file.") }
        return target
    }

    private static func scheme(of reference: String) -> String? {
        let word = reference.prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
        }
        guard word.first?.isLetter == true, word.count > 1,
            reference.dropFirst(word.count).first == ":"
        else { return nil }
        return word.lowercased()
    }

    private static func encoded(_ reference: String) -> String {
        PercentEncoding.encode(reference.utf8, allowed: "-._~:/?#[]@!$&'()*+,;=%")
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path.systemPath, nil) else { return nil }
        defer { free(real) }
        return FileName.text(real)
    }
}
