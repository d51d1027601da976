internal import CFFmpeg
internal import LazyMedia

/// Packets of AV1 that are read ahead, because only later ones tell whether a frame is needed.
///
/// Holds at most 128 packets, or 8 MB of them and one more.
struct PacketsAhead {
    private static let mostPackets = 128
    private static let mostBytes = 8 << 20

    private var references: AV1References
    // Nil where a packet is dropped.
    private var waiting: [Packet?] = []
    private var place = 0
    // Thrown once the packets before it are used up.
    private var failure: MediaError?

    /// Begins with the codec's header.
    init(extradata: UnsafeBufferPointer<UInt8>) {
        references = AV1References(extradata: extradata)
    }

    /// What became of a packet.
    enum Outcome { case read, dropped, end }

    /// Forgets the packets that wait, before a seek.
    mutating func forget() {
        (waiting, place, failure) = ([], 0, nil)
        references.forgetPictures()
    }

    /// Reads the next packet, without the frames that neither a wanted picture nor one after `last` needs.
    ///
    /// `last` is the time of the last wanted picture before which some are not wanted; nil where all are.
    mutating func read(
        into packet: Packet, from source: any PacketSource, upTo last: Int64?,
        isWanted: (Packet) -> Bool
    ) throws(MediaError) -> Outcome {
        if place == waiting.count {
            guard let last else {
                guard try source.read(into: packet) else { return .end }
                references.pass(packet.bytes)
                return .read
            }
            try readAhead(from: source, upTo: last, isWanted)
            if waiting.isEmpty { return .end }
        }
        defer { place += 1 }
        packet.clear()
        guard let next = waiting[place] else { return .dropped }
        waiting[place] = nil
        lz_packet_move_ref(packet.pointer, next.pointer)
        return .read
    }

    private mutating func readAhead(
        from source: any PacketSource, upTo last: Int64, _ isWanted: (Packet) -> Bool
    ) throws(MediaError) {
        (waiting, place) = ([], 0)
        if let failure {
            self.failure = nil
            throw failure
        }
        var bytes = 0
        do throws(MediaError) {
            while waiting.count < Self.mostPackets, bytes < Self.mostBytes {
                let packet = try Packet()
                guard try source.read(into: packet) else { break }
                waiting.append(packet)
                bytes += packet.size
                references.add(packet.bytes, isWanted: isWanted(packet))
                if let pts = packet.pts, pts >= last { break }
            }
        } catch {
            if waiting.isEmpty { throw error }
            failure = error
        }
        for (number, fate) in references.fates().enumerated() {
            switch fate {
            case .keep: break
            case .drop: waiting[number] = nil
            case .reduce(let parts): try waiting[number]?.keep(parts)
            }
        }
    }
}
