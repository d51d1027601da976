import Glibc
internal import LazyBase
internal import LazyTerminal

/// What a machine has and others lack; lazyimg works on both.
struct Machine: Sendable {
    let processor: String
    /// The value of a variable; nil also where it is empty.
    let environment: @Sendable (String) -> String?
    /// Whether a path names a folder.
    let isFolder: @Sendable (String) -> Bool
    /// Whether files can be made in a folder.
    let canWrite: @Sendable (String) -> Bool

    /// The machine that this process runs on.
    static let own = Machine(
        processor: SystemCalls.processor,
        environment: { name in
            getenv(name).flatMap { $0.pointee == 0 ? nil : FileName.text($0) }
        },
        isFolder: { access(FilePath.joined($0, ".").systemPath, F_OK) == 0 },
        canWrite: { (try? TemporaryFile(in: [$0])) != nil })

    /// What was found, in the order of the table.
    var facts: [MachineFact] {
        [processorFact, locale, home, temporaryFiles, sharedMemory, processes]
    }

    private var processorFact: MachineFact {
        let isPlain = processor.contains("without")
        return MachineFact(
            name: "processor", found: processor,
            effect: isPlain ? "results are the same, and take longer" : nil)
    }

    private var locale: MachineFact {
        let name = environment("LC_ALL") ?? environment("LC_CTYPE") ?? environment("LANG")
        let isUTF8 = TerminalTraits.isUTF8(environment)
        return MachineFact(
            name: "locale", found: (name ?? "not set") + (isUTF8 ? "" : ", not UTF-8"),
            effect: isUTF8
                ? nil : "files keep their names, text is UTF-8, pictures in terminals are ASCII")
    }

    private var home: MachineFact {
        let home = environment("HOME")
        let isUsable = home.map { $0.hasPrefix("/") && isFolder($0) } ?? false
        return MachineFact(
            name: "home", found: home.map { isUsable ? $0 : "\($0) is not a folder" } ?? "not set",
            effect: isUsable
                ? nil : "caches and journals need --cache-dir, --journal, or the variables of XDG")
    }

    private var temporaryFiles: MachineFact {
        let folders = temporaryFolders
        let found = folders.first(where: canWrite)
        return MachineFact(
            name: "temporary",
            found: found ?? "no files can be made in \(folders.joined(separator: ", "))",
            effect: found == nil
                ? "inputs that fit in memory are read; TMPDIR names another folder" : nil)
    }

    private var temporaryFolders: [String] {
        (environment("TMPDIR").map { [$0] } ?? []) + TemporaryFile.sharedFolders
    }

    private var sharedMemory: MachineFact {
        let has = canWrite("/dev/shm")
        return MachineFact(
            name: "/dev/shm", found: has ? "yes" : "no files can be made in it",
            effect: has ? nil : "terminals get pictures by files or by their connection")
    }

    private var processes: MachineFact {
        let has = isFolder("/proc/self")
        return MachineFact(
            name: "/proc", found: has ? "yes" : "not mounted",
            effect: has
                ? nil
                : "Swift's Dispatch, which reads it, may end a command by signal 4; mount it")
    }
}
