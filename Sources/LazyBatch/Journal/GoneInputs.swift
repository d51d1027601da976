import Glibc
package import LazyBase

/// Decides which inputs of earlier runs are gone: whoever removes results of theirs, gives their outputs to others,
/// or leaves them out of a page asks here.
///
/// A drive that is missing looks like a folder whose files were deleted. So an input is gone only if its folder,
/// or the nearest one above it that still exists, can be listed to its end, is not empty, and is on the file
/// system on which the input was; a folder that was named must be there itself. Wherever that is not so, the input
/// may come back, and what was made of it is kept.
package struct GoneInputs: Sendable {
    /// What became of an input.
    package enum Answer: Equatable, Sendable {
        /// It is there.
        case present
        /// It was removed or has another name.
        case gone
        /// Nobody can say: its folder is not what it was.
        case unknown(Doubt)
    }

    /// A folder that does not show which of its files are gone.
    package struct Doubt: Hashable, Sendable {
        /// Why.
        package enum Reason: Hashable, Sendable {
            case unreadable(SystemError)
            case empty
            case otherDrive
        }

        /// The absolute path of the folder.
        package let folder: String
        /// Whether it is one that the command names.
        package let isNamed: Bool
        package let reason: Reason

        init(_ folder: String, _ reason: Reason, isNamed: Bool = false) {
            (self.folder, self.reason, self.isNamed) = (folder, reason, isNamed)
        }
    }

    /// The named folders and files, as absolute paths.
    private let roots: [String]
    /// The absolute path of the folder of outputs, which no folder is filled by.
    private let output: String?
    /// File systems on which known inputs were, and those on which the same inputs are now.
    private var moves: [(from: Volume, to: Volume)] = []
    /// What is known of folders, so that each is listed once; `afresh` knows nothing of them.
    private var doubts: [PathKey: Doubt.Reason?] = [:]

    /// Names the folders that are searched, and that of the outputs.
    ///
    /// An input outside of them is gone only if its own folder shows it.
    package init(_ roots: [String], output: String? = nil) {
        self.roots = roots.map { FilePath.absolute($0) }
        self.output = output.map { FilePath.absolute($0) }
    }

    /// Whether an input is in one of the named folders.
    package func covers(_ input: String) -> Bool { !namedFolders(of: input).isEmpty }

    /// Notes on which file systems the known inputs are now, which a later run would not know again.
    mutating func compare(_ records: some Sequence<JournalRecord>) {
        var (seen, volumes): (Set<[Volume]>, [PathKey: Volume?]) = ([], [:])
        for record in records where covers(record.input) {
            guard let before = record.inputVolume, Self.error(record.input) == nil else { continue }
            let folder = record.input.parentFolder
            let known = volumes[PathKey(folder)] ?? Volume(folder)
            volumes[PathKey(folder)] = known
            guard let now = known, !now.isSame(as: before), seen.insert([before, now]).inserted
            else { continue }
            moves.append((before, now))
        }
    }

    /// The same value that looks at every folder again.
    package var afresh: GoneInputs {
        var other = self
        other.doubts = [:]
        return other
    }

    /// Whether one of the named folders does not show what is gone.
    package var hasDoubt: Bool {
        roots.contains { root in
            Self.error(root) != nil || Self.isFolder(root) && look(root) != nil
        }
    }

    /// What became of an input that is a file; an address is never gone.
    package mutating func answer(_ input: KnownInput) -> Answer {
        answer(input.path, on: input.volume)
    }

    mutating func answer(_ input: String, on volume: Volume?) -> Answer {
        guard input.isRooted, let error = Self.error(input) else { return .present }
        guard error.isOfMissing else {
            return .unknown(Doubt(input.parentFolder, .unreadable(error)))
        }
        let named = namedFolders(of: input)
        for root in named {
            if let reason = doubt(root) { return .unknown(Doubt(root, reason, isNamed: true)) }
        }
        let top = named.min { $0.utf8.count < $1.utf8.count } ?? input.parentFolder
        return nearest(input, top, on: volume)
    }

    // The folders and files that were named, and have the input in them or are it.
    private func namedFolders(of input: String) -> [String] {
        roots.filter {
            input.isSamePath(as: $0) || input.hasPathPrefix($0.endsInSlash ? $0 : $0 + "/")
        }
    }

    private mutating func nearest(_ input: String, _ top: String, on volume: Volume?) -> Answer {
        var folder = input.parentFolder
        // The part of the path that is missing itself, where a whole folder is.
        var missing = folder
        while true {
            let error = Self.error(folder)
            if let error, !error.isOfMissing {
                return .unknown(Doubt(folder, .unreadable(error)))
            }
            if error == nil, Self.isFolder(folder) { break }
            // Below a folder, a file in the place of another one is a folder that is gone.
            let isLink = error == nil && Self.isLink(folder)
            if isLink || folder.utf8.count <= top.utf8.count {
                return .unknown(Doubt(folder, .unreadable(SystemError(code: ENOENT))))
            }
            missing = folder
            folder = folder.parentFolder
        }
        if let reason = doubt(folder) { return .unknown(Doubt(folder, reason)) }
        guard let volume else { return .gone }
        let isThere = Volume(folder).map { now in
            now.isSame(as: volume)
                || moves.contains { $0.from.isSame(as: volume) && $0.to.isSame(as: now) }
        }
        if isThere == true { return .gone }
        let isNamed = roots.contains { $0.isSamePath(as: missing) }
        return .unknown(Doubt(missing, .otherDrive, isNamed: isNamed))
    }

    /// Why a folder does not show what is gone; nil for one that does.
    private mutating func doubt(_ folder: String) -> Doubt.Reason? {
        if let known = doubts[PathKey(folder)] { return known }
        let reason = look(folder)
        doubts[PathKey(folder)] = .some(reason)
        return reason
    }

    private func look(_ folder: String) -> Doubt.Reason? {
        guard let handle = opendir(folder.systemPath) else { return .unreadable(.last) }
        defer { closedir(handle) }
        var isEmpty = true
        while true {
            errno = 0
            guard let entry = readdir(handle) else {
                // A listing that breaks off is none.
                let error = SystemError.last
                return error.code != 0 ? .unreadable(error) : isEmpty ? .empty : nil
            }
            guard isEmpty else { continue }
            let name = FileName.text(of: entry)
            // Hidden files may be those of a mount point.
            if name.utf8.first == UInt8(ascii: ".") { continue }
            let isOutput = output?.isSamePath(as: FilePath.joined(folder, name)) ?? false
            if !isOutput { isEmpty = false }
        }
    }

    // A link that leads nowhere is there: what it leads to may come back.
    private static func error(_ path: String) -> SystemError? {
        var status = stat()
        return lstat(path.systemPath, &status) == 0 ? nil : .last
    }

    private static func isFolder(_ path: String) -> Bool { FileKind(path) == .folder }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path.systemPath, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}

/// An input of an earlier run, as a record names it.
package struct KnownInput: Sendable {
    /// The absolute path.
    package let path: String
    /// Whether the record is of this path, and no guess.
    package let isCertain: Bool
    let volume: Volume?

    init(_ record: JournalRecord) {
        (path, isCertain, volume) = (record.input, true, record.inputVolume)
    }

    /// A path that may be that of a record which has no paths, since others may read it.
    package init(path: String, place: String?) {
        let words = place?.split(separator: " ") ?? []
        self.path = path
        volume = words.first.flatMap { Volume(text: $0) }
        isCertain = words.count == 2 && words[1] == Self.digest(path)
    }

    /// Where a file is, as such a record notes it; throws where its folder cannot be asked.
    package static func place(of path: String) throws(SystemError) -> String {
        let path = FilePath.absolute(path)
        guard let volume = Volume(path.parentFolder) else { throw .last }
        return volume.text + " " + digest(path)
    }

    private static func digest(_ path: String) -> String {
        String(Digest.sha256(FileName.bytes(path)).hex.prefix(16))
    }
}

extension SystemError {
    /// Whether it says that there is no such file.
    fileprivate var isOfMissing: Bool { code == ENOENT || code == ENOTDIR }
}

extension JournalRecord {
    /// The file system on which the input was; earlier versions noted no more than its device.
    var inputVolume: Volume? {
        volume
            ?? identity?.text.split(separator: ":").first.flatMap { UInt64($0) }.map {
                Volume(device: $0)
            }
    }
}
