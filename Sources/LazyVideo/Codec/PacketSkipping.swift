internal import CFFmpeg
internal import LazyMedia

/// How the packets of pictures that are not wanted are skipped, by their codec.
struct PacketSkipping {
    /// Whether pictures that nothing refers to can be skipped without an effect on others.
    let canSkipUnreferenced: Bool
    // Whether the decoder reports skipped packets as damaged, as Theora's does with threads.
    private let reportsSkippedAsDamaged: Bool
    // Nil for codecs whose packets are not parsed here.
    private let unreferenced: UnreferencedPackets?
    // Nil for other codecs than AV1.
    private var ahead: PacketsAhead?

    init(_ id: AVCodecID, _ demuxer: Demuxer?) {
        reportsSkippedAsDamaged = id == AV_CODEC_ID_THEORA || id == AV_CODEC_ID_VP3
        canSkipUnreferenced = [
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO,
            AV_CODEC_ID_MPEG4, AV_CODEC_ID_AV1,
        ].contains(id)
        unreferenced = demuxer.flatMap { UnreferencedPackets(id, extradata: $0.extradata) }
        if id == AV_CODEC_ID_AV1 {
            ahead = demuxer.map { PacketsAhead(extradata: $0.extradata) }
        }
    }

    /// Whether packets may have been read ahead.
    var readsAhead: Bool { ahead != nil }

    /// Whether a picture has to come of the last packet, of AV1: dav1d leaves out without a word what its threads cannot decode.
    var mustShow: Bool { ahead?.isShowing == true }

    /// Forgets what was read ahead, before a seek.
    mutating func forget() { ahead?.forget() }

    /// Reads the next packet, of AV1 without the frames that are not needed.
    mutating func read(
        into packet: Packet, from source: any PacketSource, wanted: WantedTimes
    ) throws(MediaError) -> PacketsAhead.Outcome {
        if let outcome = try ahead?.read(into: packet, from: source, wanted: wanted) {
            return outcome
        }
        return try source.read(into: packet) ? .read : .end
    }

    /// Whether a packet must not reach the decoder, which would report it as damaged.
    func mustDrop(_ packet: Packet, _ selection: PictureSelection) -> Bool {
        reportsSkippedAsDamaged && selection.discard == AVDISCARD_NONKEY && !packet.isKey
    }

    /// What the decoder discards while it decodes a packet; `isEarly` where its picture is not wanted.
    func discard(_ selection: PictureSelection, isEarly: Bool) -> AVDiscard {
        guard isEarly, canSkipUnreferenced,
            selection.discard.rawValue < AVDISCARD_NONREF.rawValue
        else { return selection.discard }
        return AVDISCARD_NONREF
    }

    /// Whether a packet whose picture is not wanted need not reach the decoder.
    func canDrop(_ packet: Packet) -> Bool { unreferenced?.canDrop(packet.bytes) == true }
}
