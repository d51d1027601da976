internal import LazyBase

/// An entry whose body is in memory, and is written at once.
struct WholeEntry {
    let name: String
    /// The name of its file while it is written, in the folder of staging files.
    let stagingName: String
    let header: EntryHeader
    let body: [UInt8]

    init(key: String, metadata: [UInt8], body: [UInt8]) {
        name = DiskLayout.name(of: key)
        header = EntryHeader(id: .random(in: 0 ... .max), key: key, metadata: metadata)
        stagingName = DiskLayout.temporary(name, id: header.id)
        self.body = body
    }

    var content: CachedData { CachedData(data: Blob(body), metadata: header.metadata) }

    /// Writes an empty file, and returns its size.
    func write(to file: FileDescriptor, at time: WallTime) throws(SystemError) -> Int {
        let (start, sums) = (header.encoded, checksums)
        let footer = EntryFooter(
            ending: .complete, id: header.id, bodyLength: body.count, storedAt: time, metadata: nil)
        let frame = start + sums + footer.encoded
        try frame.withBytes { frame throws(SystemError) in
            try body.withBytes { body throws(SystemError) in
                var parts = [UnsafeRawBufferPointer(rebasing: frame[..<start.count])]
                for block in 0..<EntryFormat.blockCount(body.count) {
                    let sum = start.count + block * EntryFormat.checksumSize
                    parts.append(Self.block(block, of: body))
                    parts.append(.init(rebasing: frame[sum..<sum + EntryFormat.checksumSize]))
                }
                parts.append(.init(rebasing: frame[(start.count + sums.count)...]))
                try file.write(parts, at: 0)
            }
        }
        return frame.count + body.count
    }

    private var checksums: [UInt8] {
        body.withUnsafeBytes { body in
            (0..<EntryFormat.blockCount(body.count)).flatMap { block in
                EntryFormat.checksum(Self.block(block, of: body), block: block, id: header.id).bytes
            }
        }
    }

    private static func block(
        _ block: Int, of body: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        let start = block * EntryFormat.blockSize
        return .init(rebasing: body[start..<min(body.count, start + EntryFormat.blockSize)])
    }
}
