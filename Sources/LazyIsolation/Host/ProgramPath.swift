internal import Glibc
internal import LazyBase
internal import LazyMedia

/// Where the program is that decodes.
enum ProgramPath {
    private static let own = Locked<String?>(nil)

    /// Names this process's own program.
    static func setOwn() { own.withLock { $0 = SystemCalls.programPath } }

    static func find() throws(MediaError) -> String {
        if let path = getenv("LAZYIMG_DECODER").map({ String(cString: $0) }), !path.isEmpty {
            return path
        }
        if let own = own.withLock({ $0 }) { return own }
        let paths = folders.map { $0 + "/" + DecoderProgram.name }
        guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
            throw MediaError(
                .environment,
                "The program \(DecoderProgram.name), which decodes in a process of its own, is not installed; LAZYIMG_DECODER can name it."
            )
        }
        return path
    }

    private static var folders: [String] {
        var folders: [String] = []
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        if count > 0 {
            let text = String(
                decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let folder = text.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            folders += [folder, folder + "/../libexec/lazyimg"]
        }
        let search = getenv("PATH").map { String(cString: $0) } ?? ""
        folders += ["/usr/local/libexec/lazyimg", "/usr/libexec/lazyimg"]
        return folders + search.split(separator: ":").map(String.init)
    }
}
