internal import CFFmpeg
internal import LazyMedia

/// Where the packets of one picture stream come from, in decoding order.
protocol PacketSource: AnyObject {
    /// Set from outside to end a read.
    var cancellation: CancellationFlag { get set }
    /// Fills a packet with the next one of the stream; false at the end.
    func read(into packet: Packet) throws(MediaError) -> Bool
    /// Goes back before the first packet.
    func restart() throws(MediaError)
    /// Goes to a keyframe at or before a time, or returns false where that cannot be.
    func seek(to time: Int64) -> Bool
    /// Whether the data was found damaged or cut off.
    var damage: String? { get }
}
