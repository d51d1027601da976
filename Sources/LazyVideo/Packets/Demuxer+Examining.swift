internal import CFFmpeg
internal import LazyMedia

extension Demuxer {
    /// Reads ahead until the streams are known, which decodes some pictures.
    ///
    /// FFmpeg's decoders for this accept no limit of memory, only of pixels.
    func examine() throws(MediaError) {
        guard !isExamined, let format else { return }
        input.opening = limits.opening
        defer { input.opening = nil }
        beginReading(format)
        defer { if isArriving { readOn() } }
        // A movie's tables contain the frame rate, for which FFmpeg would read some twenty frames.
        if formatName == "mov" { format.pointee.fps_probe_size = 3 }
        if isDiscovering { try discoverStreams() }
        let most = streams.map { Self.probedPixels($0.pointee.codecpar.pointee.codec_id, limits) }
        fixStreams(true)
        _ = FFmpegLog.takeLine()
        // The caller judges what remains unknown; only a cancelled read is an error here.
        _ = lz_examine(format, most.map { Int64($0) }, CInt(most.count))
        noteLostParts()
        fixStreams(false)
        wasRefusing =
            FFmpegLog.takeLine().contains("exceeds specified max pixel count")
            || zip(streams, most).contains { stream, most in
                let parameters = stream.pointee.codecpar.pointee
                return Int(parameters.width) * Int(parameters.height) > most
            }
        isExamined = true
        try input.throwParkedError()
    }

    /// Reads no more of a stream that goes on than is there.
    private func beginReading(_ format: UnsafeMutablePointer<AVFormatContext>) {
        guard let arrived = bytes.arrived else { return }
        // Behind an end Matroska is not read on.
        if formatName == "matroska" {
            format.pointee.probesize = Int64(max(32, arrived / 2))
        } else {
            input.endsAtArrived = true
        }
    }

    /// Goes back to the first byte of a stream that goes on, from which it is read as it arrives.
    private func readOn() {
        guard input.endsAtArrived else { return }
        // Without a size FFmpeg does not find back.
        _ = lz_rewind(format)
        input.endsAtArrived = false
    }

    /// Whether streams appear in packets instead of a header.
    private var isDiscovering: Bool {
        ["mpeg", "mpegts", "flv", "swf"].contains(formatName) && StreamChoice(self).video == nil
    }

    /// Reads packets until the video stream is known, and seeks back.
    private func discoverStreams() throws(MediaError) {
        let packet = try Packet()
        // Audio may begin a little later than the pictures.
        for number in 0..<1024 where number < 64 || StreamChoice(self).video == nil {
            packet.clear()
            guard lz_read(format, packet.pointer) >= 0 else { break }
        }
        try input.throwParkedError()
        _ = lz_rewind(format)
    }

    /// Prevents FFmpeg from adding streams, whose decoders would have no limit while examining.
    private func fixStreams(_ areFixed: Bool) {
        guard let format else { return }
        switch formatName {
        case "mpegts":
            _ = lz_set_int(format.pointee.priv_data, "skip_changes", areFixed ? 1 : 0)
            _ = lz_set_int(format.pointee.priv_data, "scan_all_pmts", areFixed ? 0 : 1)
        case "mpeg", "flv", "swf", "dhav":
            let most = limits.tracks ?? 100_000
            format.pointee.max_streams = CInt(clamping: areFixed ? streams.count : most)
        default: break
        }
    }

    /// The most pixels with which any picture of a decoder stays within the memory.
    private static func probedPixels(_ codec: AVCodecID, _ limits: DecodingLimits) -> Int {
        let bytes =
            switch codec {
            // 16 references and the picture in progress, of 14 bits in full chroma, and tables.
            case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC: 112
            // 8 references of 12 bits in full chroma.
            case AV_CODEC_ID_VP9, AV_CODEC_ID_AV1: 80
            default: 24
            }
        let most = limits.filmMemory.map { $0 / bytes } ?? Int(Int32.max)
        return min(most, limits.pixelsPerFrame ?? .max)
    }
}
