internal import Glibc
public import LazyBytes

extension DiskStore {
    /// Begins an entry in a staging file; of two writers of a key the first one can be suspended.
    public func makeWriter(
        for key: String, metadata: [UInt8]
    ) throws(SystemError) -> any EntryWriting {
        do throws(SystemError) {
            return try openWriter(for: key, metadata)
        } catch {
            guard error.code == ENOENT else { throw error }
        }
        // Somebody has removed the folder meanwhile.
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

    /// A new file, locked: that tells sweeps that its writer is alive.
    func newTemporary(
        _ path: String, in root: OwnedFolder
    ) throws(SystemError) -> FileDescriptor {
        while true {
            let file = try root.open(path, O_RDWR | O_CREAT)
            let isLocked = try file.lock(waiting: true)
            let identity = try file.status().identity
            // A sweep may have come between.
            if isLocked, root.status(of: path)?.identity == identity { return file }
        }
    }

    /// An empty staging file under the key's own name, locked; nil while another writer has it.
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
            // Not cut to nothing: whoever has read its beginning may go on reading.
            root.remove(path)
        }
        return nil
    }

    /// Takes up what a suspended or killed writer has left, up to the last block that is right.
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

    /// Removes a staging file unless a writer holds it.
    func removePartial(_ path: String) -> Bool {
        let root = root
        guard let file = try? root.open(path, O_RDWR),
            (try? file.lock(waiting: false)) == true,
            let status = try? file.status(), root.status(of: path)?.identity == status.identity
        else { return false }
        return root.remove(path)
    }
}

/// What is good of a staging file.
struct SuspendedFile {
    let header: EntryHeader
    let metadata: [UInt8]
    /// Whole blocks from the beginning whose checksums are right.
    private(set) var blocks = 0
    /// The bytes after them that a footer vouches for.
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
        while let block = try Self.block(blocks, of: file, header, before: blocksEnd) {
            if block.count < EntryFormat.blockSize {
                if footer?.bodyLength == count + block.count { tail = block }
                break
            }
            blocks += 1
        }
    }

    /// A block with the right checksum; shorter than others only as the last.
    private static func block(
        _ number: Int, of file: FileDescriptor, _ header: EntryHeader, before end: Int
    ) throws(SystemError) -> [UInt8]? {
        let place = header.size + EntryFormat.blockOffset(number)
        let length = min(EntryFormat.blockSize, end - place - EntryFormat.checksumSize)
        guard length > 0 else { return nil }
        var bytes = try file.bytes(at: place, count: length + EntryFormat.checksumSize)
        guard bytes.count == length + EntryFormat.checksumSize else { return nil }
        let expected = UInt32(bytes, at: length)
        bytes.removeLast(EntryFormat.checksumSize)
        let sum = bytes.withUnsafeBytes {
            EntryFormat.checksum($0, block: number, id: header.id)
        }
        return sum == expected ? bytes : nil
    }
}
