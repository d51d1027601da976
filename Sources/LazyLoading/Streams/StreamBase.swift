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
    /// The host that may be in a private network: the one that the user named, if the playlist came from such a
    /// network; empty for none.
    let trustedHost: String
    /// The folder of the first playlist, outside of which its files must not be.
    private let folder: FolderFiles?

    /// Makes the base of a playlist, which the user may have named by another address; blocks.
    ///
    /// `isPrivate` is whether it came from a private network. A playlist of the public Internet names nothing in a
    /// private one, also not by a name whose address changes in between.
    package init(_ url: URL?, namedAs named: URL? = nil, isPrivate: Bool) {
        self.url = url
        let host = (named ?? url)?.host()?.lowercased() ?? ""
        let isSame = host == url?.host()?.lowercased()
        trustedHost = isPrivate || isSame && IPAddress.isPrivate(host: host) ? host : ""
        folder = url.flatMap { url in
            guard url.isFile else { return nil }
            return (try? FileURL(url.absoluteString)).flatMap {
                FolderFiles(FileName.text($0.pathBytes).parentFolder)
            }
        }
    }

    private init(_ url: URL?, trusting host: String, _ folder: FolderFiles?) {
        (self.url, trustedHost, self.folder) = (url, host, folder)
    }

    /// The base of addresses that a playlist has beside its own.
    func moved(to url: URL) -> StreamBase { StreamBase(url, trusting: trustedHost, folder) }

    /// The base of a playlist that this one names, which came from a private network or from elsewhere.
    func followed(to url: URL, isPrivate: Bool) -> StreamBase {
        let host = url.host()?.lowercased() ?? ""
        let isTrusted = isPrivate || host == trustedHost && IPAddress.isPrivate(host: host)
        return StreamBase(url, trusting: isTrusted ? trustedHost : "", folder)
    }

    /// The longest beginning of a reference that is looked at for its scheme.
    static let maxScheme = 64

    /// Whether a reference names a file, by its first bytes; throws where it may not be named.
    func namesFile(_ beginning: some Collection<UInt8>) throws(StreamError) -> Bool {
        let reference = String(decoding: beginning, as: UTF8.self)
        guard let scheme = Self.scheme(of: reference) else { return url?.isFile ?? false }
        try check(scheme, of: reference)
        return scheme == "file"
    }

    private func check(_ scheme: String, of label: String) throws(StreamError) {
        switch scheme {
        case "http" where url?.scheme?.lowercased() == "https":
            throw .malformed("The playlist is encrypted and names \(label), which is not.")
        case "http", "https", "data": return
        case "file" where folder != nil: return
        case "file":
            throw .malformed("The playlist names the file \(label), which only one in a file may.")
        default:
            throw .unsupported(
                "The playlist names \(label), and only http, https and files are read.")
        }
    }

    /// The address that a reference means.
    func address(_ reference: String) throws(StreamError) -> URL {
        let label = String(reference.prefix(200))
        let isData = reference.prefix(5).lowercased() == "data:"
        guard isData || reference.utf8.count <= StreamText.maxAddress else {
            throw StreamText.tooLong("playlist")
        }
        guard !reference.isEmpty, !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw .malformed(
                "The playlist names '\(label.filter { $0 >= " " })', which is no address.")
        }
        if Self.scheme(of: reference) == nil, folder != nil, let url, url.isFile {
            return try file(reference, beside: url)
        }
        guard let target = URL(string: Self.encoded(reference), relativeTo: url)?.absoluteURL,
            let scheme = target.scheme?.lowercased()
        else { throw .malformed("The playlist names '\(label)', which is no address.") }
        try check(scheme, of: label)
        if ["http", "https"].contains(scheme) {
            guard target.host()?.isEmpty == false else {
                throw .malformed("The playlist names '\(label)', which is no address.")
            }
            guard target.absoluteString.utf8.count <= 2 * StreamText.maxAddress else {
                throw StreamText.tooLong("playlist")
            }
        }
        return target
    }

    /// Opens a file in the folder of the playlist; nil for an address of another kind.
    ///
    /// Blocks.
    func open(_ target: URL) throws(StreamError) -> (FileDescriptor, FileStatus)? {
        guard target.isFile else { return nil }
        guard let file = try? FileURL(target.absoluteString) else {
            throw .malformed("The playlist names \(target.shortLabel), which is no file.")
        }
        let path = FileName.text(file.pathBytes)
        guard let folder else {
            throw .malformed("The playlist names \(path), which is not in its folder.")
        }
        do throws(FolderFiles.Failure) { return try folder.open(path) } catch {
            switch error {
            case .missing(let error):
                throw .loading(
                    LoadingError(
                        .notFound, "The playlist names \(path), which does not exist.",
                        underlying: error))
            case .outside:
                throw .malformed("The playlist names \(path), which is not in its folder.")
            case .noFile:
                throw .malformed("The playlist names \(path), which is not a regular file.")
            case .system(let error):
                throw .loading(
                    LoadingError(.environment, "Cannot open \(path): \(error).", underlying: error)
                )
            }
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
        let word = reference.utf8.prefix(maxScheme).prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+")...UInt8(ascii: "."):
                byte != UInt8(ascii: ",")
            default: false
            }
        }
        guard word.count > 1, let first = word.first,
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20),
            reference.utf8.dropFirst(word.count).first == UInt8(ascii: ":")
        else { return nil }
        return String(Substring(word)).lowercased()
    }

    private static func encoded(_ reference: String) -> String {
        PercentEncoding.encode(reference.utf8, allowed: "-._~:/?#[]@!$&'()*+,;=%")
    }
}

extension URL {
    /// Whether it is that of a file.
    var isFile: Bool { scheme?.lowercased() == "file" }
}
