internal import CFFmpeg
internal import LazyMedia

/// Packets of AV1 that are read ahead, because only later ones tell whether a frame is needed.
///
/// Holds at most 128 packets, or 8 MB of them and one more.
struct PacketsAhead {
    private static let maxPackets = 128
    private static let maxBytes = 8 << 20
    /// Packets between two wanted pictures.
    private static let longestGap: Int64 = 32

    /// Whether the last packet is whole and shows a picture by its headers.
    private(set) var isShowing = false
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

    /// Reads the next packet, without the frames that neither a wanted picture nor one after the last of them needs.
    mutating func read(
        into packet: Packet, from source: any PacketSource, wanted: WantedTimes
    ) throws(MediaError) -> Outcome {
        if place == waiting.count {
            guard wanted.end != nil else {
                guard try source.read(into: packet) else { return .end }
                isShowing = references.pass(packet.bytes)
                return .read
            }
            isShowing = false
            try readAhead(from: source, wanted)
            if waiting.isEmpty { return .end }
        }
        defer { place += 1 }
        packet.clear()
        guard let next = waiting[place] else { return .dropped }
        waiting[place] = nil
        packet.take(next)
        return .read
    }

    private mutating func readAhead(
        from source: any PacketSource, _ wanted: WantedTimes
    ) throws(MediaError) {
        (waiting, place) = ([], 0)
        if let failure {
            self.failure = nil
            throw failure
        }
        var bytes = 0
        do throws(MediaError) {
            while waiting.count < Self.maxPackets, bytes < Self.maxBytes {
                let packet = try Packet()
                guard try source.read(into: packet) else { break }
                waiting.append(packet)
                bytes += packet.size
                let isWanted = wanted.contains(packet.pts) || packet.isCorrupt || packet.isEncrypted
                references.add(packet.bytes, isWanted: isWanted)
                if isLast(packet, wanted) { break }
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

    /// Whether no more need be read now.
    ///
    /// A reader seeks to the keyframe before the next picture that it wants, and from a keyframe on nothing before it is
    /// needed. Behind a picture that is followed by a long gap, packets might be read for nothing.
    private func isLast(_ packet: Packet, _ wanted: WantedTimes) -> Bool {
        if packet.isKey, waiting.count > 1 { return true }
        guard let pts = packet.pts, let end = wanted.end else { return false }
        if pts >= end { return true }
        guard wanted.contains(pts), let next = wanted.next(after: pts) else { return false }
        let gap = packet.duration.multipliedReportingOverflow(by: Self.longestGap)
        return packet.duration > 0 && !gap.overflow && next.since(pts) > gap.partialValue
    }
}
