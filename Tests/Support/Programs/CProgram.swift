import Glibc

/// A program in C with some of the project's sources, for what the test process cannot do itself, such as `exit`.
public struct CProgram {
    /// Whether the toolchain's compiler for C is there.
    public static let hasCompiler = system("command -v clang >/dev/null 2>&1") == 0

    /// The folder of its files.
    public let scratch = Scratch()
    private let sources: [String]

    /// Makes a program of a text and of files below `Sources`, whose folders may have an `include`.
    public init(_ text: String, sources: [String]) {
        self.sources = sources
        scratch["program.c"] = Array(text.utf8)
    }

    /// Compiles it and returns whether that worked.
    public func build() -> Bool { compile(["-rdynamic"], "program") }

    /// Compiles it to a library `program.so` that other programs load, and returns whether that worked.
    public func buildLibrary() -> Bool { compile(["-shared", "-fPIC"], "program.so") }

    private func compile(_ options: [String], _ output: String) -> Bool {
        let files = sources.map { "'\(Project.folder)Sources/\($0)'" }
        let folders = sources.map { source in
            "-I'\(Project.folder)Sources/\(source.split(separator: "/").dropLast().joined(separator: "/"))/include'"
        }
        let words =
            options + ["program.c"] + folders + files + ["-o \(output) -lpthread -ldl"]
        return system("cd '\(scratch.path)' && clang \(words.joined(separator: " "))") == 0
    }

    /// Runs it with arguments as a shell reads them, and returns the status of `waitpid`.
    public func run(_ arguments: String = "") -> CInt {
        system("'\(scratch.path)/program' \(arguments)")
    }
}
