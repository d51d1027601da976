/// A range of other bytes, such as a film within the file of a picture.
package final class ByteSlice: RangedBytes {
    private let base: any ByteSource
    private let range: Range<Int>
    private let whole = WholeBytes()

    /// Makes a slice of bytes; what lies behind the end of the base is cut off.
    package init(_ base: any ByteSource, _ range: Range<Int>) {
        self.base = base
        self.range = range.clamped(to: 0..<max(0, base.count))
    }

    package var count: Int { range.count }
    package var isRemote: Bool { base.isRemote }
    package var isPartial: Bool { base.isPartial }
    package var fetchesRanges: Bool { base.hasReachableEnd }
    package var arrived: Int? { base.arrived.map { max(0, $0 - range.lowerBound) } }

    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        guard let (start, part) = place(offset, buffer) else { return 0 }
        return try base.read(at: start, into: part)
    }

    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int {
        guard let (start, part) = place(offset, buffer) else { return 0 }
        return try base.read(at: start, into: part, cancellation: cancellation)
    }

    package func willRead(_ range: Range<Int>) {
        let inside = range.clamped(to: 0..<count)
        let start = self.range.lowerBound
        base.willRead(start + inside.lowerBound..<start + inside.upperBound)
    }

    package func cancelReads() { base.cancelReads() }

    package func contiguous() throws(MediaError) -> MemoryBytes { try whole.bytes(of: self) }

    private func place(
        _ offset: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) -> (Int, UnsafeMutableRawBufferPointer)? {
        guard offset >= 0, offset < range.count else { return nil }
        let length = min(buffer.count, range.count - offset)
        return (range.lowerBound + offset, .init(rebasing: buffer[..<length]))
    }
}
