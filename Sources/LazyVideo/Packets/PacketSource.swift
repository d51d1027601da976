internal import CFFmpeg
internal import LazyMedia

/// A source of one video stream's packets, in decoding order.
protocol PacketSource: AnyObject {
    /// Ends a read once it is set.
    var cancellation: CancellationFlag { get set }
    /// Reads the stream's next packet; false at the end.
    func read(into packet: Packet) throws(MediaError) -> Bool
    /// Seeks to the start.
    func restart() throws(MediaError)
    /// Seeks to a keyframe at or before a time; false where that is impossible.
    func seek(to time: Int64) -> Bool
    /// Seeks to where a packet begins in the file; false where packets are not found so.
    func seek(toByte position: Int) -> Bool
    /// A description of damaged or missing data, or nil.
    var damage: String? { get }
    /// What the container says of the stream's codec, or nil.
    var parameters: UnsafePointer<AVCodecParameters>? { get }
    /// Whether the times of a recording went back or far ahead.
    var hasJumpingClock: Bool { get }
    /// Goes to a packet of a table by its number; false without a table.
    func goToListed(_ number: Int) -> Bool
}

extension PacketSource {
    var parameters: UnsafePointer<AVCodecParameters>? { nil }
    var hasJumpingClock: Bool { false }
    func seek(toByte position: Int) -> Bool { false }
    func goToListed(_ number: Int) -> Bool { false }
}
