import Glibc
internal import LazyBase
internal import LazyBatch

/// `--prune`: removes what was made of files that are gone from the searched folders.
struct Pruning {
    /// The searched folders, each with a slash at its end.
    private let roots: [String]
    /// The folder of the outputs, with a slash at its end; nil for next to their inputs.
    private let folder: String?

    /// Prunes the outputs of some folders in `folder`, or next to their inputs.
    init(_ folders: [String], outputs folder: String?) {
        roots = folders.map(Self.prefix)
        self.folder = folder.map(Self.prefix)
    }

    /// Removes the files, and folders of outputs that become empty.
    func run(_ journal: Journal) throws(CommandFailure) -> Journal.Pruned {
        let pruned: Journal.Pruned
        do throws(FileError) {
            pruned = try journal.prune(where: isMeant)
        } catch {
            throw CommandFailure(error)
        }
        for path in pruned.removed { removeFolders(of: path) }
        return pruned
    }

    private func isMeant(_ input: String, _ output: String) -> Bool {
        guard roots.contains(where: { input.hasPathPrefix($0) }) else { return false }
        if let folder { return output.hasPathPrefix(folder) }
        // Or in a folder beside it.
        return output.hasPathPrefix(Self.prefix(input.parentFolder))
    }

    // Folders beside inputs are those of a layout; others are not ours.
    private func removeFolders(of path: String) {
        var parent = path.parentFolder
        while folder.map({ parent.hasPathPrefix($0) })
            ?? parent.pathParts.contains(where: { $0.hasSuffix("." + Trickplay.ending) }),
            rmdir(parent.systemPath) == 0
        {
            parent = parent.parentFolder
        }
    }

    private static func prefix(_ folder: String) -> String {
        let path = FilePath.absolute(folder)
        return path.endsInSlash ? path : path + "/"
    }
}

extension Journal.Pruned {
    /// Reports what was removed and what stays.
    func tell(_ style: ReportStyle) {
        if style.json {
            if !isEmpty { Console.say(JSONValue.object(members).line) }
            return
        }
        for path in changed {
            Console.say("lazyimg: \(path.shown) was changed since it was made, and stays.")
        }
        guard !removed.isEmpty, !style.quiet else { return }
        let files = removed.count == 1 ? "1 file" : "\(removed.count) files"
        Console.say(
            "lazyimg: \(files) of inputs that are gone \(removed.count == 1 ? "was" : "were") removed."
        )
    }

    /// The members of results for programs.
    var members: [(String, JSONValue)] {
        [("removed", .names(removed)), ("changed", .names(changed))]
    }

    /// Whether nothing was found.
    var isEmpty: Bool { removed.isEmpty && changed.isEmpty }
}
