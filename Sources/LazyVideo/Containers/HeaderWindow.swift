internal import LazyMedia

/// Reads small parts of a container's header through a buffer, so that few reads are needed.
///
/// Remote bytes are not read ahead: only what is requested is fetched.
struct HeaderWindow {
    private let bytes: any ByteSource
    private let room: Int
    private var window: [UInt8] = []
    private var start = 0
    /// Ends a read once it is set.
    var cancellation = CancellationFlag()

    init(_ bytes: any ByteSource) {
        self.bytes = bytes
        room = bytes.isRemote || bytes.isPartial ? 0 : 4096
    }

    /// Reads this many bytes at an offset, or fewer at the end.
    mutating func read(at place: Int, count: Int) throws(MediaError) -> ArraySlice<UInt8> {
        let isInside = place >= start && place - start <= window.count - count
        if !isInside { try load(at: place, count: max(count, room)) }
        let offset = place - start
        return window[offset..<min(window.count, offset + count)]
    }

    /// A big-endian number of up to eight bytes; zeros beyond the end.
    mutating func number(at place: Int, count: Int) throws(MediaError) -> UInt64 {
        let part = try read(at: place, count: count)
        let value = part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return value << UInt64(8 * (count - part.count))
    }

    private mutating func load(at place: Int, count: Int) throws(MediaError) {
        window = try bytes.bytes(count, at: place, cancellation: cancellation)
        start = place
    }
}
