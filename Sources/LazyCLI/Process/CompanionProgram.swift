import Glibc
internal import LazyBase
internal import LazyPipeline

/// A program of ours that is installed apart, such as the one that opens windows.
struct CompanionProgram {
    let name: String
    /// How to get it.
    let hint: String

    init(_ name: String, hint: String) {
        self.name = name
        self.hint = hint
    }

    /// The paths at which it is looked for, in order.
    ///
    /// Beside this program, in the folders of programs that only programs start, and in `PATH`.
    func places(beside folder: String, path: String) -> [String] {
        let own = [
            folder, folder + "/../libexec/lazyimg", folder + "/../lib/lazyimg",
            folder + "/../libexec",
        ]
        // An empty folder of PATH would be the current one, which anybody may have filled.
        let others = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return (own + others).map { $0 + "/" + name }
    }

    /// Replaces this process by the program; returns only by an error.
    func replaceProcess(_ arguments: [String]) throws(CommandFailure) -> Never {
        let path = getenv("PATH").map { FileName.text($0) } ?? ""
        for place in places(beside: Self.ownFolder, path: path) {
            guard access(place.systemPath, X_OK) == 0 else { continue }
            let words = ([place] + arguments).map { strdup($0.systemPath) }
            // Handlers end with the program, but an ignored signal stays ignored.
            signal(SIGPIPE, SIG_DFL)
            execv(place.systemPath, words + [nil])
            signal(SIGPIPE, SIG_IGN)
            for word in words { free(word) }
        }
        throw CommandFailure(
            .unavailable, "environment", "The program \(name) is not installed.", hint: hint)
    }

    /// The folder of this program.
    private static var ownFolder: String {
        guard let path = realpath("/proc/self/exe", nil) else { return "." }
        defer { free(path) }
        let text = FileName.text(path)
        return text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(text[..<$0]) } ?? "."
    }
}
