internal import Glibc
internal import LazyBase

/// The open file of a complete entry, whose header and footer are valid.
struct EntryFile {
    let descriptor: FileDescriptor
    let status: FileStatus
    let header: EntryHeader
    let footer: EntryFooter
    /// The whole file, if it is small and was read at once.
    let contents: [UInt8]?

    /// The maximum size of a file that is read at once with its body.
    static let smallSize = 1 << 17
    /// The number of bytes first read from each end of other files.
    private static let endSize = 4096

    enum Outcome {
        case missing
        case damaged(FileDescriptor, FileStatus)
        case whole(EntryFile)
    }

    /// Opens the file at a path; `wantsBody` reads a small one at once.
    ///
    /// A file of another user, from a time when the folder was not private, counts as damaged.
    static func open(
        _ path: String, in root: OwnedFolder, wantsBody: Bool = false
    ) throws(SystemError) -> Outcome {
        guard let descriptor = try root.openToRead(path) else { return .missing }
        let status = try descriptor.status()
        guard status.isOurs, let file = try EntryFile(descriptor, status, wantsBody) else {
            return .damaged(descriptor, status)
        }
        return .whole(file)
    }

    private init?(
        _ descriptor: FileDescriptor, _ status: FileStatus, _ wantsBody: Bool
    ) throws(SystemError) {
        let isSmall = status.size <= (wantsBody ? Self.smallSize : Self.endSize)
        let start = try descriptor.bytes(at: 0, count: isSmall ? status.size : Self.endSize)
        guard let header = try Self.header(start, descriptor, size: status.size) else { return nil }
        let end =
            isSmall
            ? start
            : try descriptor.bytes(at: status.size - Self.endSize, count: Self.endSize)
        guard let footer = try Self.footer(end, descriptor, size: status.size, id: header.id),
            footer.ending == .complete, footer.id == header.id,
            let stored = EntryFormat.storedLength(footer.bodyLength),
            header.size + stored + footer.size == status.size
        else { return nil }
        self.descriptor = descriptor
        self.status = status
        self.header = header
        self.footer = footer
        contents = isSmall ? start : nil
    }

    /// Parses the header from the first bytes of a file; reads more if it is longer.
    static func header(
        _ start: [UInt8], _ descriptor: FileDescriptor, size: Int
    ) throws(SystemError) -> EntryHeader? {
        guard let lengths = EntryHeader.lengths(start) else { return nil }
        let needed = EntryFormat.headerSize + lengths.key + lengths.metadata
        if needed > size { return nil }
        if needed <= start.count { return EntryHeader(start) }
        return EntryHeader(try descriptor.bytes(at: 0, count: needed))
    }

    /// Parses the footer from the last bytes of a file; reads more if it is longer.
    static func footer(
        _ end: [UInt8], _ descriptor: FileDescriptor, size: Int, id: UInt64? = nil
    ) throws(SystemError) -> EntryFooter? {
        guard let length = EntryFooter.metadataLength(end, id: id) else { return nil }
        let needed = EntryFormat.footerSize + length
        if needed > size { return nil }
        if needed <= end.count { return EntryFooter(end) }
        return EntryFooter(try descriptor.bytes(at: size - needed, count: needed))
    }

    /// The footer of a staging file whose writer was suspended, or nil.
    static func suspendedFooter(
        _ descriptor: FileDescriptor, size: Int, id: UInt64
    ) throws(SystemError) -> EntryFooter? {
        let end = try descriptor.bytes(
            at: max(0, size - endSize), count: min(size, endSize))
        guard let footer = try footer(end, descriptor, size: size, id: id),
            footer.ending == .suspended, footer.id == id
        else { return nil }
        return footer
    }

    /// The metadata in the file itself.
    var metadata: [UInt8] { footer.metadata ?? header.metadata }

    /// The body: in memory and verified if the file is small, else verified on reading.
    ///
    /// Nil if it is damaged.
    func body(onDamage: @escaping @Sendable () -> Void) -> Blob? {
        guard let contents else { return Blob(EntryBody(self, onDamage: onDamage)) }
        var body: [UInt8] = []
        body.reserveCapacity(footer.bodyLength)
        for block in 0..<EntryFormat.blockCount(footer.bodyLength) {
            let start = header.size + EntryFormat.blockOffset(block)
            let length = min(EntryFormat.blockSize, footer.bodyLength - body.count)
            let sum = contents.withUnsafeBytes {
                EntryFormat.checksum(
                    .init(rebasing: $0[start..<start + length]), block: block, id: header.id)
            }
            guard sum == UInt32(contents, at: start + length) else { return nil }
            body += contents[start..<start + length]
        }
        return Blob(body)
    }
}
