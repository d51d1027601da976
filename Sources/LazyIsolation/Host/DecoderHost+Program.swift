internal import Glibc
internal import LazyBytes
public import LazyMedia

extension DecoderHost {
    private static let own = Locked<String?>(nil)

    /// Makes this process's own program that which decodes.
    ///
    /// For programs that ask `DecoderProgram.isRequested` first.
    public static func decodesItself() { own.withLock { $0 = "/proc/self/exe" } }

    /// The program that decodes.
    ///
    /// It is named by the environment's `LAZYIMG_DECODER`, or the program itself if that decodes, or
    /// `lazyimg-decoder` in the program's folder, in `../libexec/lazyimg` beside it or in `/usr`, or in `PATH`. Throws
    /// `.environment` where there is none.
    public static func programPath() throws(MediaError) -> String {
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
