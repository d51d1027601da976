internal import CFFmpeg

/// Finds the packets after which nothing refers to anything before them.
struct CleanKeys {
    private let codec: AVCodecID
    private let layout: NALLayout

    init(_ codec: AVCodecID, _ demuxer: Demuxer?) {
        self.codec = codec
        let extradata = demuxer?.extradata ?? .init(start: nil, count: 0)
        layout =
            codec == AV_CODEC_ID_HEVC
            ? NALLayout(hevc: extradata) : NALLayout(extradata: extradata)
    }

    /// Where to find a packet again if it is such a one.
    func entry(_ packet: Packet, number: Int) -> PacketIndex.Entry? {
        guard packet.isKey, isClean(packet) else { return nil }
        return PacketIndex.Entry(
            number: number, pts: packet.pts, dts: packet.dts, size: packet.size,
            position: packet.position, isClean: true)
    }

    private func isClean(_ packet: Packet) -> Bool {
        switch codec {
        case AV_CODEC_ID_H264: layout.containsIDR(packet.bytes)
        case AV_CODEC_ID_HEVC: layout.containsIDR(hevc: packet.bytes)
        // Zeros in place of a packet are a keyframe to FFmpeg's parser.
        case AV_CODEC_ID_VP8, AV_CODEC_ID_VP9: VPXHeader.maxPixels(packet.bytes, codec) > 0
        case AV_CODEC_ID_AV1, AV_CODEC_ID_MJPEG: true
        default: false
        }
    }
}
