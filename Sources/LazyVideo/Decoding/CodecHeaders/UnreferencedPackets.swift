internal import CFFmpeg

/// Finds the packets that contain only non-reference pictures, so that they need not be decoded.
///
/// FFmpeg's decoders skip such pictures themselves (`skip_frame`), but only after the packet was assigned to a thread:
/// where every other picture is skipped, one of two threads does all the work. dav1d, as FFmpeg 5.1 calls it, skips none.
struct UnreferencedPackets {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    private enum Syntax {
        case h264(NALLayout)
        case hevc(NALLayout)
        case av1(AV1FrameSyntax?)
    }
    private var syntax: Syntax

    /// Nil for codecs whose packets are not looked at; `extradata` is the codec's header, which tells how units are
    /// delimited.
    init?(_ id: AVCodecID, extradata: UnsafeBufferPointer<UInt8>) {
        switch id {
        case AV_CODEC_ID_H264: syntax = .h264(NALLayout(extradata: extradata))
        case AV_CODEC_ID_HEVC: syntax = .hevc(NALLayout(hevc: extradata))
        case AV_CODEC_ID_AV1:
            var frames: AV1FrameSyntax?
            // The units after the fields of an AV1CodecConfigurationRecord, which begins with marker and version.
            if extradata.count > 4, extradata[0] == 0x81 {
                _ = Self.isUnreferenced(Bytes(rebasing: extradata[4...]), &frames)
            }
            syntax = .av1(frames)
        default: return nil
        }
    }

    /// Whether a packet can be dropped without an effect on the pictures of other packets.
    ///
    /// What is not understood cannot be dropped. For AV1, every packet that is read must be passed, because its sequence header
    /// may change; the others are only parsed where `isWanted` is false.
    mutating func canDrop(_ bytes: UnsafeBufferPointer<UInt8>, isWanted: Bool) -> Bool {
        switch syntax {
        case .h264(let layout): return !isWanted && Self.isUnreferenced(bytes, layout, Self.h264)
        case .hevc(let layout): return !isWanted && Self.isUnreferenced(bytes, layout, Self.hevc)
        case .av1(var frames):
            defer { syntax = .av1(frames) }
            return Self.isUnreferenced(bytes, &frames) && !isWanted
        }
    }

    private enum Unit { case nonReference, noPicture, needed }

    private static func isUnreferenced(
        _ bytes: Bytes, _ layout: NALLayout, _ unit: (UInt8) -> Unit
    ) -> Bool {
        var hasPicture = false
        let isComplete = layout.allSatisfy(bytes) { header in
            let unit = unit(header)
            if unit == .nonReference { hasPicture = true }
            return unit != .needed
        }
        return isComplete && hasPicture
    }

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

    private static func isUnreferenced(_ bytes: Bytes, _ frames: inout AV1FrameSyntax?) -> Bool {
        var (hasPicture, isNeeded) = (false, false)
        OBU.forEach(bytes) { unit in
            let payload = Bytes(rebasing: bytes[unit.payload])
            switch unit.type {
            case 1:
                frames = AV1Header(payload)?.frames
                isNeeded = true
            // Frame headers, also redundant ones and those of whole frames.
            case 3, 6, 7:
                hasPicture = true
                if frames?.isUnreferenced(payload) != true { isNeeded = true }
            // Temporal delimiters, tile groups, metadata and padding.
            case 2, 4, 5, 15: break
            default: isNeeded = true
            }
        }
        return hasPicture && !isNeeded
    }
}
