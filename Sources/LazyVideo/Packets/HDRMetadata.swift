internal import CFFmpeg
internal import LazyMedia

/// The metadata of HDR in a bitstream.
struct HDRMetadata {
    var masteringDisplay: MasteringDisplay?
    var contentLight: ContentLight?
    /// Whether scenes have metadata of their own (SMPTE ST 2094-40), which are named and not applied.
    var isHDR10Plus = false

    /// What a packet says, and the header of its codec; nil for codecs without such messages.
    static func read(
        _ packet: Packet, _ codec: AVCodecID, extradata: UnsafeBufferPointer<UInt8>
    ) -> HDRMetadata? {
        var metadata: HDRMetadata
        switch codec {
        case AV_CODEC_ID_HEVC:
            metadata = HEVCMetadata.read(packet.bytes, extradata: extradata)
        case AV_CODEC_ID_AV1:
            metadata = HDRMetadata(isHDR10Plus: AV1Messages.haveHDR10Plus(packet.bytes))
        case AV_CODEC_ID_VP9: metadata = HDRMetadata()
        default: return nil
        }
        if packet.isHDR10Plus || packet.registeredMessage.map({ isHDR10Plus($0) }) == true {
            metadata.isHDR10Plus = true
        }
        return metadata
    }

    /// Whether a message registered by ITU-T T.35 is one of HDR10+.
    ///
    /// United States, Samsung's code, code 1, application 4 (SMPTE ST 2094-40; CTA-861-H, annex S).
    static func isHDR10Plus(_ message: some Sequence<UInt8>) -> Bool {
        message.prefix(6).elementsEqual([0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04])
    }
}

extension MasteringDisplay {
    /// The container's description, or nil where it has no luminance.
    init?(_ data: AVMasteringDisplayMetadata) {
        guard data.has_luminance != 0 else { return nil }
        var chromaticities: Chromaticities?
        if data.has_primaries != 0 {
            let (red, green, blue) = data.display_primaries
            chromaticities = Chromaticities(
                red: Self.point(red), green: Self.point(green), blue: Self.point(blue),
                white: Self.point(data.white_point))
        }
        self.init(
            chromaticities: chromaticities, maximumLuminance: Self.value(data.max_luminance),
            minimumLuminance: Self.value(data.min_luminance))
    }

    private static func point(_ point: (AVRational, AVRational)) -> SIMD2<Double> {
        SIMD2(value(point.0), value(point.1))
    }

    private static func value(_ ratio: AVRational) -> Double {
        ratio.den == 0 ? 0 : max(0, Double(ratio.num) / Double(ratio.den))
    }
}

extension ContentLight {
    /// The container's description, or nil where it says nothing.
    init?(_ data: AVContentLightMetadata) {
        guard data.MaxCLL > 0 || data.MaxFALL > 0 else { return nil }
        self.init(maximum: Int(data.MaxCLL), maximumAverage: Int(data.MaxFALL))
    }
}
