internal import CFFmpeg
internal import LazyMedia

/// A still picture whose file is one packet.
final class StillSource: PacketSource {
    private let bytes: MemoryBytes
    private var isRead = false
    var cancellation: CancellationFlag

    init(_ bytes: MemoryBytes, cancellation: CancellationFlag) {
        self.bytes = bytes
        self.cancellation = cancellation
    }

    var damage: String? { nil }

    func read(into packet: Packet) throws(MediaError) -> Bool {
        guard !isRead else { return false }
        packet.clear()
        guard let size = CInt(exactly: bytes.count) else {
            throw MediaError(.unsupported, "A still picture of \(bytes.count) bytes is too large.")
        }
        try check(lz_packet_new(packet.pointer, size), "hold the picture's bytes")
        let target = UnsafeMutableRawBufferPointer(
            start: packet.pointer.pointee.data, count: bytes.count)
        _ = bytes.read(at: 0, into: target)
        packet.pointer.pointee.pts = 0
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        isRead = true
        return true
    }

    func restart() { isRead = false }

    func seek(to time: Int64) -> Bool { false }
}
