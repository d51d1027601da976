internal import CFFmpeg
internal import LazyMedia

/// Builds a `PacketIndex` from packets, and decides whether it matches what decoding returns.
struct PacketIndexer {
    private let codec: AVCodecID
    private let layout: NALLayout?
    private var index = PacketIndex()
    private var count = 0
    private var firstPTS: Int64?
    /// When the first packet is shown, and the last one ends, in ticks; nil without packets.
    private(set) var span: (start: Int64, end: Int64)?
    /// What was found beside the packets.
    var findings = PacketFindings()
    private var isTrusted = true
    private let isReordering: Bool
    private var isReordered = false
    private let isTimed: Bool
    // The time of the next packet that has none.
    private var clock: Int64 = 0

    /// Makes an indexer for a stream of a codec; `extradata` is the codec's header.
    ///
    /// With `isFromTables` the packets' bytes are not those of the file. Without `isTimed` packets follow each other
    /// at their durations.
    init(
        _ codec: AVCodecID, isReordering: Bool, extradata: UnsafeBufferPointer<UInt8>,
        isFromTables: Bool = false, isTimed: Bool = true
    ) {
        self.isTimed = isTimed
        self.codec = codec
        index.isFromTables = isFromTables
        self.isReordering = isReordering
        layout = codec == AV_CODEC_ID_H264 && !isFromTables ? NALLayout(extradata: extradata) : nil
    }

    /// Adds the next packet in decoding order.
    ///
    /// With `isShifted` its times are not those that the container has.
    mutating func add(_ packet: Packet, isShifted: Bool = false) {
        guard isTimed else { return addUntimed(packet) }
        // Only keyframes are searched.
        let isClean = !packet.isKey || (layout?.containsIDR(packet.bytes) ?? true)
        add(
            PacketFacts(packet), pictures: shownPictures(packet), isClean: isClean,
            isShifted: isShifted)
    }

    private mutating func add(
        _ packet: PacketFacts, pictures: Int, isClean: Bool, isShifted: Bool = false
    ) {
        defer { count += 1 }
        if packet.isKey {
            index.keys.append(
                .init(
                    number: count, pts: packet.pts ?? packet.dts, dts: packet.dts,
                    size: packet.size, position: packet.position, isClean: isClean,
                    isShifted: isShifted))
        }
        if let time = packet.pts ?? packet.dts {
            let end = time.adding(packet.duration)
            span = (min(span?.start ?? time, time), max(span?.end ?? end, end))
        }
        if packet.pts != packet.dts { isReordered = true }
        if count == 0, !packet.isKey { isTrusted = false }
        if packet.isCorrupt {
            isTrusted = false
            findings.corruptCount += 1
        }
        guard pictures > 0, !packet.isDiscarded else { return }
        guard pictures == 1, let pts = packet.pts else { return isTrusted = false }
        // Pictures shown before the first keyframe may refer to missing pictures.
        if pts < firstPTS ?? .min { isTrusted = false }
        if firstPTS == nil { firstPTS = pts }
        index.frames.append(.init(ticks: pts, duration: packet.duration, isKey: packet.isKey))
    }

    /// Adds a packet without times as if its picture were shown next.
    ///
    /// This tells where pictures are that all earlier ones are shown before; only they are keyframes here.
    private mutating func addUntimed(_ packet: Packet) {
        var facts = PacketFacts(packet)
        facts.isKey =
            switch codec {
            case AV_CODEC_ID_H264: NALLayout.startCodes.containsIDR(packet.bytes)
            case AV_CODEC_ID_HEVC: NALLayout.startCodes.containsIDR(hevc: packet.bytes)
            default: facts.isKey && count == 0
            }
        (facts.pts, facts.dts) = (clock, clock)
        clock = clock.addingReportingOverflow(max(1, facts.duration)).partialValue
        add(facts, pictures: shownPictures(packet), isClean: true)
    }

    /// The index, or nil where only decoding can tell.
    consuming func finish() -> PacketIndex? {
        // Some muxers write decoding times as presentation times; only decoding tells the latter.
        guard isTrusted, isReordered || !isReordering || !isTimed || count == 1 else { return nil }
        index.frames.sortFromDecodingOrder()
        index.isSeekable =
            Self.seekableCodecs.contains(codec) && (isTimed || index.keys.count > 1)
        let isDistinct = zip(index.frames, index.frames.dropFirst()).allSatisfy {
            $0.ticks < $1.ticks
        }
        return isDistinct ? index : nil
    }

    /// The index of packets with one picture each, or nil where only decoding can tell.
    ///
    /// Takes some 15 ns a packet: films of hours have hundreds of thousands.
    static func index(
        _ packets: PacketListing, of codec: AVCodecID, isReordering: Bool
    ) -> PacketIndex? {
        let count = packets.table.count
        var index = PacketIndex()
        index.isFromTables = true
        index.isSeekable = seekableCodecs.contains(codec)
        var cursor = SampleTable.Cursor(packets.table)
        var (isTrusted, isReordered) = (true, false)
        index.frames = Array(unsafeUninitializedCapacity: count) { frames, filled in
            while let sample = cursor.next() {
                let ticks = sample.pts &+ packets.shift
                if sample.isKey { index.keys.append(packets.entry(of: sample, cursor.number - 1)) }
                if sample.offset &+ packets.delay != 0 { isReordered = true }
                if filled == 0, !sample.isKey { isTrusted = false }
                var place = filled
                filled += 1
                // Shown a few places earlier than decoded, as a rule.
                while place > 0, frames[place - 1].ticks >= ticks {
                    // Pictures shown before the first keyframe may refer to missing pictures; equal times name
                    // none.
                    let isSound =
                        frames[place - 1].ticks > ticks && place > 1 && filled - place < 64
                    guard isSound else {
                        filled -= 1
                        return isTrusted = false
                    }
                    frames.initializeElement(at: place, to: frames[place - 1])
                    place -= 1
                }
                frames.initializeElement(
                    at: place, to: .init(ticks: ticks, duration: 0, isKey: sample.isKey))
                if packets.hasDurations, place == filled - 1 {
                    index.lastDuration = sample.duration
                }
            }
        }
        guard isTrusted, isReordered || !isReordering || count == 1 else { return nil }
        return index
    }

    /// The frames so far.
    var frameCount: Int { index.frames.count }

    /// The keyframes' packets alone.
    var keys: [PacketIndex.Entry] { index.keys }

    /// The codecs whose keyframes never depend on anything before them.
    static let seekableCodecs: Set<AVCodecID> = [
        AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9,
        AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_H263,
        AV_CODEC_ID_FLV1, AV_CODEC_ID_MSMPEG4V2, AV_CODEC_ID_MSMPEG4V3, AV_CODEC_ID_WMV1,
        AV_CODEC_ID_WMV2, AV_CODEC_ID_THEORA, AV_CODEC_ID_MJPEG, AV_CODEC_ID_PRORES,
        AV_CODEC_ID_DNXHD, AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_PNG, AV_CODEC_ID_JPEG2000,
        AV_CODEC_ID_FFV1, AV_CODEC_ID_HUFFYUV, AV_CODEC_ID_FFVHUFF,
    ]

    private func shownPictures(_ packet: Packet) -> Int {
        switch codec {
        case AV_CODEC_ID_VP8: packet.bytes.first.map { $0 >> 4 & 1 == 1 ? 1 : 0 } ?? 0
        case AV_CODEC_ID_VP9: VP9Packet.shownPictures(packet.bytes)
        default: packet.size > 0 ? 1 : 0
        }
    }
}

extension [PacketIndex.Shown] {
    /// Sorts frames by time that are a few places away from it at most, as a rule.
    fileprivate mutating func sortFromDecodingOrder() {
        var steps = 0
        for place in indices.dropFirst() {
            var next = place
            while next > 0, self[next - 1].ticks > self[next].ticks {
                swapAt(next - 1, next)
                next -= 1
                steps += 1
            }
            if steps > 8 * count { return sort { $0.ticks < $1.ticks } }
        }
    }
}

/// What an index has to know about a packet.
struct PacketFacts: Equatable {
    var pts: Int64?
    var dts: Int64?
    var duration: Int64 = 0
    var size: Int
    var position: Int?
    var isKey: Bool
    var isDiscarded: Bool
    var isCorrupt = false
}

extension PacketFacts {
    init(_ packet: Packet) {
        self.init(
            pts: packet.pts, dts: packet.dts, duration: packet.duration, size: packet.size,
            position: packet.position, isKey: packet.isKey, isDiscarded: packet.isDiscarded,
            isCorrupt: packet.isCorrupt)
    }
}
