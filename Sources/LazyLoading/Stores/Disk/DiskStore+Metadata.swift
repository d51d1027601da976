public import LazyBase

extension DiskStore {
    /// Replaces the metadata of an entry without writing its body.
    ///
    /// The new metadata is in a sidecar file whose name contains the ID of the entry, so that it is
    /// never combined with another body.
    public func setMetadata(_ metadata: [UInt8], for key: String) throws(SystemError) -> Bool {
        let name = DiskLayout.name(of: key)
        guard let file = try openEntry(name), file.header.key == key else { return false }
        let root = root
        let path = DiskLayout.metadata(name, id: file.header.id)
        let temporary = DiskLayout.temporary(name)
        do throws(SystemError) {
            let sidecar = try newTemporary(temporary, in: root)
            try sidecar.write(Sidecar.encode(metadata, id: file.header.id), at: 0)
            try root.rename(temporary, to: path)
        } catch {
            root.remove(temporary)
            throw error
        }
        if root.status(of: DiskLayout.entry(name))?.identity != file.status.identity {
            root.remove(path)
        }
        return true
    }

    /// The metadata of an entry, from its sidecar file if there is one.
    func metadata(of file: EntryFile, _ name: String) -> [UInt8] {
        let path = DiskLayout.metadata(name, id: file.header.id)
        guard let sidecar = try? root.openToRead(path),
            let size = try? sidecar.status().size,
            let bytes = try? sidecar.bytes(at: 0, count: size),
            let metadata = Sidecar.decode(bytes, id: file.header.id)
        else { return file.metadata }
        return metadata
    }
}

/// The format of metadata in a sidecar file.
enum Sidecar {
    private static let magic = Array("LZYMETA1".utf8)

    static func encode(_ metadata: [UInt8], id: UInt64) -> [UInt8] {
        let bytes = magic + id.bytes + metadata
        return bytes + EntryFormat.sum(bytes).bytes
    }

    static func decode(_ bytes: [UInt8], id: UInt64) -> [UInt8]? {
        guard bytes.count >= 20, bytes.starts(with: magic), UInt64(bytes, at: 8) == id,
            EntryFormat.sum(Array(bytes.dropLast(4))) == UInt32(bytes, at: bytes.count - 4)
        else { return nil }
        return Array(bytes[16..<(bytes.count - 4)])
    }
}
