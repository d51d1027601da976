internal import CFFmpeg

/// Tells which packets hold nothing but pictures that no other refers to.
///
/// Decoders skip such pictures themselves (`skip_frame`), but only after they have handed the packet to a thread: where
/// every other picture is skipped, one of two threads has all the work. dav1d does not skip them at all.
struct UnreferencedPackets {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    private enum Syntax {
        case h264(NALLayout)
        case hevc(NALLayout)
        case av1(AV1FrameHeader?)
    }
    private var syntax: Syntax

    /// Nil for codecs whose packets are not looked at; `extradata` is the codec's header, which tells how units are
    /// delimited.
    init?(_ id: AVCodecID, extradata: UnsafeBufferPointer<UInt8>) {
        switch id {
        case AV_CODEC_ID_H264: syntax = .h264(NALLayout(extradata: extradata))
        case AV_CODEC_ID_HEVC: syntax = .hevc(NALLayout(hevc: extradata))
        case AV_CODEC_ID_AV1:
            var header: AV1FrameHeader?
            // The units after the fields of an AV1CodecConfigurationRecord, which begins with marker and version.
            if extradata.count > 4, extradata[0] == 0x81 {
                _ = Self.isUnreferenced(Bytes(rebasing: extradata[4...]), &header)
            }
            syntax = .av1(header)
        default: return nil
        }
    }

    /// Whether a packet can be left out without an effect on the pictures of others.
    ///
    /// Of AV1, all packets since a sequence header must be passed. What is not understood cannot be left out.
    mutating func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch syntax {
        case .h264(let layout): return Self.isUnreferenced(bytes, layout, Self.h264)
        case .hevc(let layout): return Self.isUnreferenced(bytes, layout, Self.hevc)
        case .av1(var header):
            defer { syntax = .av1(header) }
            return Self.isUnreferenced(bytes, &header)
        }
    }

    private enum Unit { case unreferenced, harmless, needed }

    private static func isUnreferenced(
        _ bytes: Bytes, _ layout: NALLayout, _ unit: (UInt8) -> Unit
    ) -> Bool {
        var hasPicture = false
        let isComplete = layout.allSatisfy(bytes) { header in
            let unit = unit(header)
            if unit == .unreferenced { hasPicture = true }
            return unit != .needed
        }
        return isComplete && hasPicture
    }

    /// H.264, 7.4.1: `nal_ref_idc` is zero for slices of pictures that nothing refers to.
    private static func h264(_ header: UInt8) -> Unit {
        switch header & 31 {
        case 1: header >> 5 & 3 == 0 ? .unreferenced : .needed
        // Messages, delimiters and filler.
        case 6, 9, 12: .harmless
        default: .needed
        }
    }

    /// H.265, table 7-1: sub-layer pictures that are not referenced, which FFmpeg skips, too.
    private static func hevc(_ header: UInt8) -> Unit {
        switch header >> 1 & 63 {
        case 0, 2, 4, 6, 8, 10, 12, 14: .unreferenced
        // Delimiters, filler, messages, and Dolby Vision's.
        case 35, 38, 39, 40, 62, 63: .harmless
        default: .needed
        }
    }

    private static func isUnreferenced(_ bytes: Bytes, _ header: inout AV1FrameHeader?) -> Bool {
        var (hasPicture, isNeeded) = (false, false)
        OBU.forEach(bytes) { unit in
            let payload = Bytes(rebasing: bytes[unit.payload])
            switch unit.type {
            case 1:
                header = AV1FrameHeader(sequence: payload)
                isNeeded = true
            // Frame headers, also repeated ones and those with their tiles.
            case 3, 6, 7:
                hasPicture = true
                if header?.refreshesNothing(payload) != true { isNeeded = true }
            // Delimiters, tiles, metadata and padding.
            case 2, 4, 5, 15: break
            default: isNeeded = true
            }
        }
        return hasPicture && !isNeeded
    }
}
