import Glibc
internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

/// The folder of one item, whose files appear complete; all of it is ours.
///
/// Unchecked: an item is made by one task, which writes its files one after the other.
final class ItemFolder: @unchecked Sendable {
    let path: String
    /// The names of the files so far.
    private(set) var names: [String] = []
    /// The bytes so far.
    private(set) var byteCount = 0

    /// Refers to a folder; creates it where it is missing.
    init(_ path: String) throws(MediaError) {
        self.path = path
        do throws(SystemError) { _ = try FilePath.createFolder(path) } catch {
            throw Self.failure(path, error)
        }
    }

    /// Writes a file.
    func write(_ bytes: [UInt8], to name: String) throws(MediaError) {
        let file = try ItemFile(in: self, name)
        try file.write(bytes)
        try file.keep()
    }

    fileprivate func didKeep(_ name: String, byteCount count: Int) {
        names.append(name)
        byteCount += count
    }

    /// Copies a file.
    func copy(_ source: String, to name: String) throws(MediaError) {
        let file = try ItemFile(in: self, name)
        do throws(SystemError) {
            let input = try FileDescriptor(
                checking: open(source.systemPath, O_RDONLY | O_CLOEXEC))
            var offset = 0
            while true {
                let bytes = try input.bytes(at: offset, count: 1 << 20)
                if bytes.isEmpty { break }
                if Task.isCancelled { throw SystemError(code: ECANCELED) }
                try file.append(bytes)
                offset += bytes.count
            }
        } catch {
            throw error.code == ECANCELED ? .cancelled : Self.failure(path + "/" + name, error)
        }
        try file.keep()
    }

    /// Makes a hard link to a file; false where the file system has none between the two folders.
    func link(_ source: String, to name: String) throws(MediaError) -> Bool {
        // Only a rename replaces an existing file at once.
        let temporary = path + "/.part.lazyimg-\(getpid())-\(name)"
        unlink(temporary.systemPath)
        // Of a symbolic link its target: the link itself may be relative.
        let linked = linkat(
            AT_FDCWD, source.systemPath, AT_FDCWD, temporary.systemPath, AT_SYMLINK_FOLLOW)
        guard linked == 0 else { return false }
        try announce(temporary, as: name)
        guard rename(temporary.systemPath, (path + "/" + name).systemPath) == 0 else {
            throw Self.failure(path + "/" + name, .last)
        }
        // Between two names of one file, rename does nothing.
        unlink(temporary.systemPath)
        didKeep(name, byteCount: 0)
        return true
    }

    private func announce(_ temporary: String, as name: String) throws(MediaError) {
        do throws(SystemError) {
            let file = try FileDescriptor(
                checking: open(temporary.systemPath, O_RDONLY | O_CLOEXEC))
            try NewFile.willPublish?(path + "/" + name, file.number)
        } catch {
            unlink(temporary.systemPath)
            throw Self.failure(path + "/" + name, error)
        }
    }

    /// Removes files that earlier runs made with other options.
    func removeOthers() {
        let all = (try? Self.names(in: path)) ?? []
        for name in all where !names.contains(name) && Self.isOurs(name) {
            unlink((path + "/" + name).systemPath)
        }
    }

    /// Removes what a failure has left of an item that was never made.
    static func discardUnfinished(_ path: String) {
        guard FileKind(path + "/" + GalleryItem.recordName) == .nothing else { return }
        for name in (try? names(in: path)) ?? [] where isOurs(name) {
            unlink((path + "/" + name).systemPath)
        }
        rmdir(path.systemPath)
    }

    /// Whether the name is one that items have.
    static func isOurs(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }
        return ["item", "preview", "sheet", "film", "animation", "picture"].contains(String(stem))
            || stem.hasPrefix("poster-")
    }

    /// The names in a folder of the site; none where it is not there.
    static func names(in path: String) throws(FileError) -> [String] {
        do throws(SystemError) { return try FolderNames.readIfPresent(path) } catch {
            throw FileError(reading: path, error)
        }
    }

    static func failure(_ path: String, _ error: SystemError) -> MediaError {
        let failure = FileError(path: path, error)
        return MediaError(.environment, failure.description, underlying: failure)
    }
}

/// A file of an item while it is written.
///
/// Unchecked: an encoder writes its pieces in sequence, and the file is kept after it has ended.
final class ItemFile: @unchecked Sendable {
    private let folder: ItemFolder
    private let name: String
    private let file: NewFile
    private var count = 0

    init(in folder: ItemFolder, _ name: String) throws(MediaError) {
        self.folder = folder
        self.name = name
        do throws(SystemError) { file = try NewFile(in: folder.path) } catch {
            throw ItemFolder.failure(folder.path + "/" + name, error)
        }
    }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(MediaError) {
        do throws(SystemError) { try append(bytes) } catch {
            throw ItemFolder.failure(folder.path + "/" + name, error)
        }
    }

    fileprivate func append(_ bytes: [UInt8]) throws(SystemError) {
        try bytes.withBytes { (bytes) throws(SystemError) in try file.write(bytes) }
        count += bytes.count
    }

    /// Gives the file its name.
    func keep() throws(MediaError) {
        do throws(SystemError) { try file.publish(as: name, replacing: true) } catch {
            throw ItemFolder.failure(folder.path + "/" + name, error)
        }
        folder.didKeep(name, byteCount: count)
    }
}

extension ItemFile: Rendition.Sink {
    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) { try write(Array(bytes)) }
    // It gets its name when it is kept.
    func finish() {}
}
