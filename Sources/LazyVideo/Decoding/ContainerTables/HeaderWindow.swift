internal import LazyMedia

/// Reads the small pieces of a container's header through a window, so that each costs no read.
///
/// Of bytes that come over a network just what is asked for is read: a window would fetch more.
struct HeaderWindow {
    private let bytes: any ByteSource
    private let room: Int
    private var window: [UInt8] = []
    private var start = 0
    /// Set from outside to end a read.
    var cancellation = CancellationFlag()

    init(_ bytes: any ByteSource) {
        self.bytes = bytes
        room = bytes.isRemote || bytes.isPartial ? 0 : 4096
    }

    /// So many bytes from a place on, or fewer at the end.
    mutating func read(at place: Int, count: Int) throws(MediaError) -> ArraySlice<UInt8> {
        let isInside = place >= start && place - start <= window.count - count
        if !isInside { try load(at: place, count: max(count, room)) }
        let offset = place - start
        return window[offset..<min(window.count, offset + count)]
    }

    /// A big-endian number of up to eight bytes; zeros behind the end.
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
