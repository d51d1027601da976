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
    /// A description of damaged or missing data, or nil.
    var damage: String? { get }
}
