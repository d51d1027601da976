internal import LazyMedia

/// Reads small parts of a file, of which those of one cluster's head lie beside each other.
final class MatroskaHeads {
    /// Enough for the head of a cluster, its time and the head of its first block.
    private static let room = 64

    let source: any ByteSource
    private let cancellation: CancellationFlag
    private var window: [UInt8] = []
    private var start = 0

    init(_ source: any ByteSource, _ cancellation: CancellationFlag) {
        (self.source, self.cancellation) = (source, cancellation)
    }

    /// So many bytes at an offset; fewer at the end.
    func bytes(_ count: Int, at place: Int) throws(MediaError) -> ArraySlice<UInt8> {
        if place < start || place - start > window.count - count {
            window = try source.bytes(
                min(max(count, Self.room), max(0, source.count - place)), at: place,
                cancellation: cancellation)
            start = place
        }
        let offset = place - start
        return window[offset..<min(window.count, offset + count)]
    }

    /// The number at an offset; nil where it is incomplete.
    func number(at place: Int) throws(MediaError) -> EBMLNumber? {
        _ = try bytes(8, at: place)
        let window = window
        return window.span.bytes.ebmlNumber(at: place - start)
    }
}
