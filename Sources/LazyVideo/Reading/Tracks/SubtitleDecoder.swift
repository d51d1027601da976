internal import CFFmpeg
internal import LazyMedia

/// Decodes packets of text to lines of ASS by FFmpeg; owns an `AVCodecContext`.
final class SubtitleDecoder: SubtitlePacketReading {
    private var context: UnsafeMutablePointer<AVCodecContext>?

    /// Opens the decoder of a stream; throws `.unsupported` where this FFmpeg has none.
    init(_ stream: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        let parameters = stream.pointee.codecpar
        let id = stream.pointee.codecpar.pointee.codec_id
        guard let decoder = lz_find_decoder(id) else {
            throw MediaError(
                .unsupported,
                "This FFmpeg has no decoder for the subtitles \(CodecName.of(id)).")
        }
        context = lz_codec_alloc(decoder)
        guard let context else {
            throw MediaError(.environment, "There is no memory for a decoder.")
        }
        LiveHandles.didOpen()
        try check(lz_codec_take_parameters(context, parameters), "set up the decoder of subtitles")
        context.pointee.pkt_timebase = stream.pointee.time_base
        try check(lz_codec_open(context, decoder), "open the decoder of subtitles")
    }

    deinit {
        guard context != nil else { return }
        lz_codec_free(&context)
        LiveHandles.didClose()
    }

    var header: String {
        guard let context, let start = context.pointee.subtitle_header else { return "" }
        let count = Int(max(0, context.pointee.subtitle_header_size))
        return String(
            decoding: UnsafeBufferPointer(start: start, count: count).prefix { $0 != 0 },
            as: UTF8.self)
    }

    func decode(_ packet: Packet) -> DecodedSubtitles? {
        var subtitle = AVSubtitle()
        var isShown: CInt = 0
        guard lz_decode_subtitle(context, &subtitle, &isShown, packet.pointer) >= 0 else {
            _ = FFmpegLog.takeLine()
            return nil
        }
        guard isShown != 0 else { return DecodedSubtitles() }
        defer { lz_subtitle_free(&subtitle) }
        // Without a time it cannot be shown; a year is longer than any film.
        guard subtitle.pts != LZ_NOPTS, subtitle.pts.magnitude < 1 << 55 else { return nil }
        let texts = (0..<CInt(clamping: subtitle.num_rects)).compactMap { number in
            lz_subtitle_text(&subtitle, number).map { String(cString: $0) }
        }
        return DecodedSubtitles(
            start: subtitle.pts, duration: Int64(subtitle.end_display_time), texts: texts)
    }
}
