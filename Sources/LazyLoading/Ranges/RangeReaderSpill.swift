internal import LazyBase

/// The temporary file of a `RangeStore`: made when the first block leaves memory, deleted with the store.
///
/// A file that cannot be made, written or read is no error: its blocks are fetched again.
final class RangeSpill: Sendable {
    typealias Making = @Sendable () throws(SystemError) -> TemporaryFile

    private struct Open {
        let file: TemporaryFile
        /// The maximum number of bytes: half of what is free, so that others find room.
        let room: Int
    }
    /// The maximum number of bytes in the file.
    let maxBytes: Int
    private let open = Locked<Open?>(nil)
    private let make: Making
    private let freeBytes: @Sendable (TemporaryFile) -> Int?

    /// Makes a spill with a limit of bytes, and of what the system allows a file.
    init(
        maxBytes: Int, make: @escaping Making = { () throws(SystemError) in try TemporaryFile() },
        freeBytes: @escaping @Sendable (TemporaryFile) -> Int? = \.freeBytes
    ) {
        self.maxBytes = min(maxBytes, TemporaryFile.maxBytes)
        self.make = make
        self.freeBytes = freeBytes
    }

    /// Writes blocks up to the first one for which that fails, and returns the sums of those written.
    ///
    /// Blocks. Several threads may write at once: their blocks have different places.
    func write(_ blocks: [RangeBlocks.Leaving]) -> [UInt32] {
        var sums: [UInt32] = []
        do throws(SystemError) {
            let open = try opened()
            for block in blocks {
                let place = block.place
                guard place.offset + place.count <= open.room else { break }
                try block.bytes.withBytes { bytes throws(SystemError) in
                    try open.file.write(bytes, at: place.offset)
                    sums.append(Self.sum(bytes, of: place))
                }
            }
        } catch {}
        return sums
    }

    private func opened() throws(SystemError) -> Open {
        try open.withLock { open throws(SystemError) in
            if let open { return open }
            let file = try make()
            let new = Open(file: file, room: (freeBytes(file) ?? .max) / 2)
            open = new
            return new
        }
    }

    /// Reads a block; nil unless it is the one that was written.
    ///
    /// Blocks.
    func read(_ place: RangeBlocks.Place) -> [UInt8]? {
        guard let file = open.withLock({ $0?.file }),
            let bytes = try? file.bytes(at: place.offset, count: place.count),
            bytes.count == place.count,
            bytes.withUnsafeBytes({ Self.sum($0, of: place) }) == place.sum
        else { return nil }
        return bytes
    }

    /// The checksum of a block, which is only valid for its number.
    private static func sum(_ bytes: UnsafeRawBufferPointer, of place: RangeBlocks.Place) -> UInt32
    {
        Checksum.crc32c(bytes, after: UInt32(truncatingIfNeeded: place.block))
    }
}
