internal import CFFmpeg
internal import LazyMedia

extension Demuxer {
    /// As many packets are read to tell films from single pictures.
    private static let maxCountedPackets = 512

    /// Counts the first packets of video streams that nothing else but their size tells apart.
    ///
    /// Reads nothing where a movie says how many frames its tracks have, and where there is one stream. AVI says how
    /// long a stream is, with chunks that are empty and with none at all: a picture beside a film has dozens.
    func countFrames() throws(MediaError) {
        guard facts.wanted == nil, !facts.isCounted else { return }
        let candidates = StreamChoice(self).best
        let isSaid = formatName != "avi" && !candidates.contains { $0.pointee.nb_frames == 0 }
        guard candidates.count > 1, !isSaid else { return }
        facts.isCounted = true
        let reader = try Demuxer(
            bytes, format: formatName, limits: limits, cancellation: cancellation)
        var counts: [Int: Int] = [:]
        for stream in candidates { counts[Int(stream.pointee.index)] = 0 }
        let packet = try Packet()
        for _ in 0..<Self.maxCountedPackets where counts.values.contains(where: { $0 < 2 }) {
            packet.clear()
            guard lz_read(reader.format, packet.pointer) >= 0 else { break }
            counts[Int(packet.pointer.pointee.stream_index)]? += 1
        }
        guard counts.values.contains(where: { $0 > 1 }) else { return }
        facts.single = Set(counts.filter { $0.value < 2 }.keys)
    }
}
