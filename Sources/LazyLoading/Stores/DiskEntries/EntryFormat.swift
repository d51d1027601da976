internal import LazyBase

/// The file format of an entry: header, blocks with checksums, footer.
///
/// Numbers are little-endian. Written sequentially, so that a growing or interrupted file is valid up
/// to its last whole block.
///
/// ```
/// header  magic 8 · id 8 · block size 4 · key length 4 · metadata length 4 · CRC 4 · key · metadata
/// block   up to `blockSize` bytes of body · CRC 4 of id, number and bytes
/// footer  metadata (where it replaces the header's) ·
///         magic 8 · id 8 · body length 8 · stored at 8 · metadata length 4 · CRC 4
/// ```
enum EntryFormat {
    static let blockSize = 1 << 16
    static let checksumSize = 4
    static let headerSize = 32
    static let footerSize = 40
    static let headerMagic = Array("LZYENTR1".utf8)

    /// The kinds of footers.
    enum Ending: CaseIterable {
        case complete
        case suspended

        var magic: [UInt8] {
            switch self {
            case .complete: Array("LZYWHOL1".utf8)
            case .suspended: Array("LZYPART1".utf8)
            }
        }
    }

    /// The number of blocks of a body.
    static func blockCount(_ length: Int) -> Int { (length + blockSize - 1) / blockSize }

    /// The size of a body in the file, with checksums; nil if it is too large.
    static func storedLength(_ length: Int) -> Int? {
        guard length >= 0, length < 1 << 60 else { return nil }
        return length + blockCount(length) * checksumSize
    }

    /// The offset of a block from the first one.
    static func blockOffset(_ block: Int) -> Int { block * (blockSize + checksumSize) }

    /// The checksum of a block, which is only valid for its position and entry.
    static func checksum(_ bytes: UnsafeRawBufferPointer, block: Int, id: UInt64) -> UInt32 {
        let place = id.bytes + UInt64(block).bytes
        return Checksum.crc32c(bytes, after: sum(place))
    }

    static func sum(_ bytes: [UInt8], after earlier: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBytes { Checksum.crc32c($0, after: earlier) }
    }
}

/// The header of an entry's file.
struct EntryHeader: Equatable {
    var id: UInt64
    var key: String
    var metadata: [UInt8]

    /// Its size.
    var size: Int { EntryFormat.headerSize + key.utf8.count + metadata.count }

    var encoded: [UInt8] {
        let key = Array(key.utf8)
        var bytes = EntryFormat.headerMagic + id.bytes
        bytes += UInt32(EntryFormat.blockSize).bytes
        bytes += UInt32(key.count).bytes + UInt32(metadata.count).bytes
        let sum = EntryFormat.sum(key + metadata, after: EntryFormat.sum(bytes))
        return bytes + sum.bytes + key + metadata
    }

    init(id: UInt64, key: String, metadata: [UInt8]) {
        self.id = id
        self.key = key
        self.metadata = metadata
    }

    /// Parses a header from the first bytes of a file.
    init?(_ bytes: [UInt8]) {
        guard let lengths = Self.lengths(bytes),
            bytes.count >= EntryFormat.headerSize + lengths.key + lengths.metadata
        else { return nil }
        let words = Array(bytes[EntryFormat.headerSize...].prefix(lengths.key + lengths.metadata))
        let sum = EntryFormat.sum(words, after: EntryFormat.sum(Array(bytes[..<28])))
        guard sum == UInt32(bytes, at: 28) else { return nil }
        guard let key = String(validating: words[..<lengths.key], as: UTF8.self) else { return nil }
        id = UInt64(bytes, at: 8)
        self.key = key
        metadata = Array(words[lengths.key...])
    }

    /// The sizes of key and metadata in the fixed part of an unverified header.
    static func lengths(_ bytes: [UInt8]) -> (key: Int, metadata: Int)? {
        guard bytes.count >= EntryFormat.headerSize, bytes.starts(with: EntryFormat.headerMagic),
            UInt32(bytes, at: 16) == UInt32(EntryFormat.blockSize)
        else { return nil }
        return (Int(UInt32(bytes, at: 20)), Int(UInt32(bytes, at: 24)))
    }
}

/// The footer of an entry's file.
struct EntryFooter: Equatable {
    var ending: EntryFormat.Ending
    var id: UInt64
    var bodyLength: Int
    var storedAt: WallTime
    /// The metadata that replaces that of the header, or nil.
    var metadata: [UInt8]?

    /// Its size.
    var size: Int { EntryFormat.footerSize + (metadata?.count ?? 0) }

    var encoded: [UInt8] {
        let metadata = metadata ?? []
        var bytes = ending.magic + id.bytes + UInt64(bodyLength).bytes
        bytes += UInt64(bitPattern: storedAt.milliseconds).bytes
        bytes += (self.metadata == nil ? UInt32.max : UInt32(metadata.count)).bytes
        let sum = EntryFormat.sum(metadata, after: EntryFormat.sum(bytes))
        return metadata + bytes + sum.bytes
    }

    init(
        ending: EntryFormat.Ending, id: UInt64, bodyLength: Int, storedAt: WallTime,
        metadata: [UInt8]?
    ) {
        self.ending = ending
        self.id = id
        self.bodyLength = bodyLength
        self.storedAt = storedAt
        self.metadata = metadata
    }

    /// Parses a footer from the last bytes of a file.
    init?(_ bytes: [UInt8]) {
        guard let length = Self.metadataLength(bytes),
            bytes.count >= EntryFormat.footerSize + length
        else { return nil }
        let fixed = Array(bytes.suffix(EntryFormat.footerSize))
        let metadata = Array(bytes.suffix(EntryFormat.footerSize + length).prefix(length))
        let sum = EntryFormat.sum(metadata, after: EntryFormat.sum(Array(fixed[..<36])))
        guard sum == UInt32(fixed, at: 36),
            let ending = EntryFormat.Ending.allCases.first(where: { fixed.starts(with: $0.magic) }),
            let bodyLength = Int(exactly: UInt64(fixed, at: 16))
        else { return nil }
        self.init(
            ending: ending, id: UInt64(fixed, at: 8), bodyLength: bodyLength,
            storedAt: WallTime(milliseconds: Int64(bitPattern: UInt64(fixed, at: 24))),
            metadata: UInt32(fixed, at: 32) == .max ? nil : metadata)
    }

    /// The size of the metadata in the fixed part of an unverified footer; nil if there is none.
    ///
    /// The last bytes of a body are no footer: they have neither its magic nor the entry's `id`.
    static func metadataLength(_ bytes: [UInt8], id: UInt64? = nil) -> Int? {
        let fixed = bytes.suffix(EntryFormat.footerSize)
        guard fixed.count == EntryFormat.footerSize,
            EntryFormat.Ending.allCases.contains(where: { fixed.starts(with: $0.magic) }),
            id.map({ fixed.dropFirst(8).starts(with: $0.bytes) }) ?? true
        else { return nil }
        let length = UInt32(bytes, at: bytes.count - 8)
        return length == .max ? 0 : Int(length)
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// Its bytes in little-endian order.
    var bytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }

    /// Reads a little-endian number.
    init(_ bytes: [UInt8], at offset: Int) {
        self.init(
            littleEndian: bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: offset, as: Self.self)
            })
    }
}
