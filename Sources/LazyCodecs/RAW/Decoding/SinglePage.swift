internal import LazyMedia

/// A TIFF whose first and only directory is another one of it.
///
/// Two numbers are replaced: the offset of the first directory, and what follows that one.
final class SinglePage: ByteSource {
    private let base: any ByteSource
    private let changes: [(offset: Int, bytes: [UInt8])]

    init(_ base: any ByteSource, _ directory: RAWDirectories.Directory) {
        self.base = base
        let digits = (0..<4).map { UInt8(truncatingIfNeeded: directory.offset >> ($0 * 8)) }
        let isLittle = directory.isLittle
        changes = [
            (4, isLittle ? digits : digits.reversed()), (directory.linkOffset, [0, 0, 0, 0]),
        ]
    }

    var count: Int { base.count }
    var isRemote: Bool { base.isRemote }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        let count = try base.read(at: offset, into: buffer)
        for change in changes {
            for (number, byte) in change.bytes.enumerated() {
                let place = change.offset + number - offset
                if place >= 0, place < count { buffer[place] = byte }
            }
        }
        return count
    }

    func contiguous() throws(MediaError) -> MemoryBytes { try memory(0..<count) }
}
