internal import Glibc
public import LazyBase

extension DiskStore {
    /// Begins an entry in a staging file; of two writers of a key only the first can be suspended.
    public func makeWriter(
        for key: String, metadata: [UInt8]
    ) throws(SystemError) -> any EntryWriting {
        do throws(SystemError) {
            return try openWriter(for: key, metadata)
        } catch {
            guard error.code == ENOENT else { throw error }
        }
        // The folder was removed.
        try reopen()
        return try openWriter(for: key, metadata)
    }

    private func openWriter(
        for key: String, _ metadata: [UInt8]
    ) throws(SystemError) -> EntryWriter {
        let name = DiskLayout.name(of: key)
        let header = EntryHeader(id: .random(in: 0 ... .max), key: key, metadata: metadata)
        let root = root
        let partial = try newPartial(name, in: root)
        let path = partial == nil ? DiskLayout.temporary(name) : DiskLayout.partial(name)
        let file = if let partial { partial } else { try newTemporary(path, in: root) }
        do throws(SystemError) { try file.write(header.encoded, at: 0) } catch {
            root.remove(path)
            throw error
        }
        return EntryWriter(
            self, in: root, name: name, path: path, isResumable: partial != nil, header: header,
            metadata: metadata, body: StagedBody(file, header: header))
    }

    /// Creates a file with a lock, which tells sweeps that its writer is alive.
    func newTemporary(
        _ path: String, in root: OwnedFolder
    ) throws(SystemError) -> FileDescriptor {
        while true {
            let file = try root.open(path, O_RDWR | O_CREAT)
            let isLocked = try file.lock(waiting: true)
            let identity = try file.status().identity
            // A sweep may have removed it in between.
            if isLocked, root.status(of: path)?.identity == identity { return file }
        }
    }

    /// Creates the locked staging file of a key; nil if another writer has it.
    func newPartial(
        _ name: String, in root: OwnedFolder
    ) throws(SystemError) -> FileDescriptor? {
        let path = DiskLayout.partial(name)
        for _ in 0..<8 {
            let file = try root.open(path, O_RDWR | O_CREAT)
            guard try file.lock(waiting: false) else { return nil }
            let status = try file.status()
            guard root.status(of: path)?.identity == status.identity else { continue }
            if status.size == 0 { return file }
            // Not truncated: somebody may be reading it.
            root.remove(path)
        }
        return nil
    }

    /// Continues a suspended or interrupted entry after the last valid block.
    public func suspendedWriter(for key: String) throws(SystemError) -> (any EntryWriting)? {
        let name = DiskLayout.name(of: key)
        let root = root
        let path = DiskLayout.partial(name)
        let file: FileDescriptor
        do throws(SystemError) { file = try root.open(path, O_RDWR) } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        guard try file.lock(waiting: false) else { return nil }
        guard root.status(of: path)?.identity == (try file.status()).identity else { return nil }
        guard let found = try SuspendedFile(file), found.header.key == key, found.count > 0 else {
            root.remove(path)
            return nil
        }
        try file.truncate(to: found.header.size + EntryFormat.blockOffset(found.blocks))
        return EntryWriter(
            self, in: root, name: name, path: path, isResumable: true, header: found.header,
            metadata: found.metadata,
            body: StagedBody(
                file, header: found.header, blocks: found.blocks, tail: found.tail))
    }

    /// Removes a staging file unless a writer has it.
    func removePartial(_ path: String) -> Bool {
        let root = root
        guard let file = try? root.open(path, O_RDWR),
            (try? file.lock(waiting: false)) == true,
            let status = try? file.status(), root.status(of: path)?.identity == status.identity
        else { return false }
        return root.remove(path)
    }
}

/// The valid part of a staging file.
struct SuspendedFile {
    let header: EntryHeader
    let metadata: [UInt8]
    /// The number of valid whole blocks from the beginning.
    private(set) var blocks = 0
    /// The valid bytes after them, if there is a footer.
    private(set) var tail: [UInt8] = []

    var count: Int { blocks * EntryFormat.blockSize + tail.count }

    init?(_ file: FileDescriptor) throws(SystemError) {
        let size = try file.status().size
        let start = try file.bytes(at: 0, count: min(size, 4096))
        guard let header = try EntryFile.header(start, file, size: size) else { return nil }
        let footer = try EntryFile.suspendedFooter(file, size: size, id: header.id)
        self.header = header
        metadata = footer?.metadata ?? header.metadata
        let blocksEnd = size - (footer?.size ?? 0)
        let stored = EntryBlocks(file, header)
        while true {
            // Only the last block may be shorter.
            let rest = blocksEnd - stored.offset(of: blocks) - EntryFormat.checksumSize
            let length = min(EntryFormat.blockSize, rest)
            guard length > 0, let block = try stored.bytes(of: blocks, length: length) else {
                break
            }
            if length < EntryFormat.blockSize {
                if footer?.bodyLength == count + block.count { tail = block }
                break
            }
            blocks += 1
        }
    }
}
