internal import CFFmpeg

/// Finds the packets that contain only non-reference pictures, so that they need not be decoded.
///
/// FFmpeg's decoders skip such pictures themselves (`skip_frame`), but only after the packet was assigned to a thread:
/// where every other picture is skipped, one of two threads does all the work.
struct UnreferencedPackets {
    private let layout: NALLayout
    private let unit: (UInt8) -> Unit

    /// Nil for codecs whose packets are not looked at; `extradata` is the codec's header, which tells how units are
    /// delimited.
    init?(_ id: AVCodecID, extradata: UnsafeBufferPointer<UInt8>) {
        switch id {
        case AV_CODEC_ID_H264: (layout, unit) = (NALLayout(extradata: extradata), Self.h264)
        case AV_CODEC_ID_HEVC: (layout, unit) = (NALLayout(hevc: extradata), Self.hevc)
        default: return nil
        }
    }

    /// Whether a packet can be dropped without an effect on the pictures of other packets.
    ///
    /// What is not understood cannot be dropped.
    func canDrop(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var hasPicture = false
        let isComplete = layout.allSatisfy(bytes) { header in
            let unit = unit(header)
            if unit == .nonReference { hasPicture = true }
            return unit != .needed
        }
        return isComplete && hasPicture
    }

    private enum Unit { case nonReference, noPicture, needed }

    /// H.264, 7.4.1: `nal_ref_idc` is zero for slices of non-reference pictures.
    private static func h264(_ header: UInt8) -> Unit {
        switch header & 31 {
        case 1: header >> 5 & 3 == 0 ? .nonReference : .needed
        // Messages, delimiters and filler.
        case 6, 9, 12: .noPicture
        default: .needed
        }
    }

    /// H.265, table 7-1: sub-layer non-reference pictures, which FFmpeg skips, too.
    private static func hevc(_ header: UInt8) -> Unit {
        switch header >> 1 & 63 {
        case 0, 2, 4, 6, 8, 10, 12, 14: .nonReference
        // Delimiters, filler, messages, and Dolby Vision's.
        case 35, 38, 39, 40, 62, 63: .noPicture
        default: .needed
        }
    }
}
