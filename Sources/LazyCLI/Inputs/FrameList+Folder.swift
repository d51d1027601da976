import Glibc
internal import LazyBase
internal import LazyMedia

extension FrameList {
    /// The pictures and clips of a folder in natural order, or those of the list in it.
    init(
        folder: String, without output: String?, _ limits: DecodingLimits
    ) throws(MediaError) {
        let names = try Self.names(in: folder)
        for list in Self.names where names.contains(list) {
            guard
                let found = try FrameList(
                    FilePath.joined(folder, list), joinsFolders: false, without: output,
                    limits: limits)
            else { continue }
            self = found
            return
        }
        let left = output.flatMap(FileIdentity.init)
        var entries: [Entry] = []
        for name in names.filter({ !$0.hasPrefix(".") }).map(NaturalName.init).sorted() {
            try Interruption.flag.check()
            let path = FilePath.joined(folder, name.name)
            guard FileKind(path) == .file, left == nil || FileIdentity(path) != left,
                FolderSearch.isMedia(path, path.lastName)
            else { continue }
            try Self.check(count: entries.count + 1, limits)
            entries.append(Entry(path: path))
        }
        guard !entries.isEmpty else {
            throw MediaError(
                .environment, "There is no media in \(folder).",
                underlying: SystemError(code: ENOENT))
        }
        self.init(entries)
    }

    /// The files whose names a pattern makes, by their numbers.
    ///
    /// The folder is read once, so that the cost does not depend on the numbers.
    init(
        _ pattern: NumberPattern, _ path: String, without output: String?,
        _ limits: DecodingLimits
    ) throws(MediaError) {
        let folder = path.parentFolder
        let left = output.flatMap(FileIdentity.init)
        var found: [(number: Int, path: String)] = []
        for name in try Self.names(in: folder) {
            guard let number = pattern.number(in: name) else { continue }
            let file = FilePath.joined(folder, name)
            if left != nil, FileIdentity(file) == left { continue }
            try Self.check(count: found.count + 1, limits)
            found.append((number, file))
        }
        found.sort { $0.number < $1.number }
        guard let first = found.first, let last = found.last else {
            throw MediaError(
                .environment, "No file matches \(path).", underlying: SystemError(code: ENOENT))
        }
        self.init(found.map { Entry(path: $0.path) })
        let missing = last.number - first.number + 1 - found.count
        guard missing > 0 else { return }
        let numbers = missing == 1 ? "1 number is" : "\(missing) numbers are"
        warnings = [
            MediaWarning(
                .note,
                "\(numbers) missing between \(first.path.lastName) and \(last.path.lastName).")
        ]
    }

    private static func names(in folder: String) throws(MediaError) -> [String] {
        do throws(SystemError) { return try FolderNames.read(folder) } catch {
            throw error.mediaError("read", folder)
        }
    }
}
