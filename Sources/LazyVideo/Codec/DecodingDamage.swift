internal import CFFmpeg
internal import LazyMedia

/// The damage that decoding met, which is skipped or concealed as the `ffmpeg` command does.
///
/// A packet counts once, however often it is decoded.
struct DecodingDamage {
    /// What a packet is known by.
    enum PacketName: Hashable {
        case time(Int64)
        /// Of packets without times.
        case number(Int)
    }

    private var packets: Set<PacketName> = []
    /// The first error.
    private(set) var firstFault: MediaError?
    /// What the decoder said of the first damage that is no error; may be empty.
    private(set) var firstLine = ""

    /// Packets that were not decoded, or only with concealed parts.
    var count: Int { packets.count }

    /// Counts a packet that is damaged, or whose picture is.
    mutating func add(_ packet: PacketName, line: String = "") {
        packets.insert(packet)
        if firstLine.isEmpty { firstLine = line }
    }

    /// Counts a packet that the decoder rejected.
    mutating func add(_ packet: PacketName, status: CInt) {
        add(packet)
        let error = FFmpegError(code: status, line: FFmpegLog.takeLine())
        if firstFault == nil { firstFault = error.mediaError("decode the picture") }
    }
}
