import Glibc
internal import LazyBase
internal import LazyBatch

/// `--prune`: removes what was made of files that are gone from the searched folders.
struct Pruning: Sendable {
    /// Which inputs are gone from the searched folders.
    let gone: GoneInputs
    /// The folder of the outputs, with a slash at its end; nil for next to their inputs.
    private let folder: String?

    /// Prunes the outputs of some named folders in `folder`, or next to their inputs.
    ///
    /// Made before anything else is, since new records say where inputs are now.
    init(_ names: [String], outputs folder: String?, _ journal: Journal) {
        gone = journal.gone(from: names, output: folder)
        self.folder = folder.map(Self.prefix)
    }

    /// Removes the files, and folders of outputs that become empty.
    func run(_ journal: Journal) throws(CommandFailure) -> Journal.Pruned {
        let pruned: Journal.Pruned
        do throws(FileError) {
            pruned = try journal.prune(gone, where: isMeant)
        } catch {
            throw CommandFailure(error)
        }
        for path in pruned.removed { removeFolders(of: path) }
        return pruned
    }

    private func isMeant(_ input: String, _ output: String) -> Bool {
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
        kept.tell(style)
        guard !removed.isEmpty, !style.quiet else { return }
        let files = removed.count == 1 ? "1 file" : "\(removed.count) files"
        Console.say(
            "lazyimg: \(files) of inputs that are gone \(removed.count == 1 ? "was" : "were") removed."
        )
    }

    /// The members of results for programs.
    var members: [(String, JSONValue)] {
        [("removed", .names(removed)), ("changed", .names(changed))] + kept.members
    }

    /// Whether nothing was found.
    var isEmpty: Bool { removed.isEmpty && changed.isEmpty && kept.count == 0 }
}

extension KeptResults {
    /// Says in one line what stays; without warnings only what is wrong with a named folder.
    func tell(_ style: ReportStyle) {
        guard let sentence, !style.quiet || isOfNamed else { return }
        Console.say("lazyimg: " + sentence)
    }

    /// The members of results for programs; none where nothing is kept.
    var members: [(String, JSONValue)] {
        if count == 0 { return [] }
        let folders = folders.map { folder, count in
            JSONValue.object([
                ("folder", .name(folder.folder)), ("reason", .string("\(folder.reason)")),
                ("count", .integer(count)),
            ])
        }
        return [("kept", .array(folders))]
    }

    private var sentence: String? {
        guard let first = (folders.first { $0.doubt.isNamed } ?? folders.first)?.doubt else {
            return nil
        }
        let files = count == 1 ? "1 file" : "\(count) files"
        let others = folders.count - 1
        let more =
            others == 0 ? "" : others == 1 ? ", and 1 more folder" : ", and \(others) more folders"
        return
            "The results of \(files) are kept, which may come back: \(first.folder.shown) \(first.reason)\(more)."
    }
}

extension GoneInputs.Doubt.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let error) where error.code == ENOENT: "is missing"
        case .unreadable(let error): "cannot be read (\(error))"
        case .empty: "is empty"
        case .otherDrive: "is on another drive than before"
        }
    }
}
