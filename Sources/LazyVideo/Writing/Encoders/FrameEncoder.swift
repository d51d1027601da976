internal import CFFmpeg
internal import LazyMedia

/// Encodes pictures to packets; owns an `AVCodecContext`.
final class FrameEncoder {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let packet: Packet
    /// The encoder.
    let choice: EncoderChoice

    /// The properties of its pictures.
    struct Setup {
        /// Width and height, both even.
        var size: PixelSize
        /// The colors' meaning.
        var colors: PictureFiller.Colors
        /// The most frames from one keyframe to the next.
        var keyInterval: Int
        /// The first frame's duration, in microseconds.
        var firstLength: Int64
    }

    /// Opens the encoder; throws `.environment` where this FFmpeg lacks it.
    init(_ choice: EncoderChoice, _ setup: Setup) throws(MediaError) {
        self.choice = choice
        packet = try Packet()
        guard let codec = lz_find_encoder_named(choice.name) else { throw choice.missing }
        context = lz_codec_alloc(codec)
        guard let context else {
            throw MediaError(.environment, "There is no memory for an encoder.")
        }
        LiveHandles.didOpen()
        prepare(context, setup)
        try open(context, codec)
    }

    deinit {
        guard context != nil else { return }
        lz_codec_free(&context)
        LiveHandles.didClose()
    }

    /// The codec's header, for the container.
    var header: [UInt8] {
        guard let context, let bytes = context.pointee.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(context.pointee.extradata_size)))
    }

    /// Sends a picture that is shown at a time in microseconds, or nil to drain the encoder.
    func send(_ picture: PictureFrame?, at time: Int64 = 0, isKey: Bool = false) throws(MediaError)
    {
        if let picture {
            picture.pointer.pointee.pts = time
            picture.pointer.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        }
        try encoding(lz_encoder_send(context, picture?.pointer))
    }

    /// Passes the next packet to a closure, or returns nil where none is ready or all are taken.
    func receive<Result>(
        _ use: (Packet) throws(MediaError) -> Result
    ) throws(MediaError) -> Result? {
        let status = lz_encoder_receive(context, packet.pointer)
        if status == LZ_ERROR_AGAIN || status == LZ_ERROR_EOF { return nil }
        try encoding(status)
        defer { packet.clear() }
        return try use(packet)
    }

    private func prepare(_ context: UnsafeMutablePointer<AVCodecContext>, _ setup: Setup) {
        context.pointee.width = CInt(setup.size.width)
        context.pointee.height = CInt(setup.size.height)
        context.pointee.pix_fmt = choice.format
        context.pointee.time_base = AVRational(num: 1, den: 1_000_000)
        // A hint for the level; frames are timed by their timestamps.
        let rate = min(max(1_000_000 / max(1, setup.firstLength), 25), 120)
        context.pointee.framerate = AVRational(num: CInt(rate), den: 1)
        context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        context.pointee.gop_size = CInt(setup.keyInterval)
        context.pointee.flags |= LZ_FLAG_GLOBAL_HEADER | LZ_FLAG_CLOSED_GOP
        context.pointee.thread_count = CInt(choice.threads)
        context.pointee.color_primaries = AVCOL_PRI_BT709
        context.pointee.color_trc = AVCOL_TRC_BT709
        context.pointee.color_range = AVCOL_RANGE_MPEG
        context.pointee.colorspace = AVCOL_SPC_BT709
        context.pointee.chroma_sample_location =
            setup.colors.isChromaLeft ? AVCHROMA_LOC_LEFT : AVCHROMA_LOC_CENTER
        switch setup.colors.matrix {
        case .bt601: context.pointee.colorspace = AVCOL_SPC_SMPTE170M
        case nil:
            context.pointee.colorspace = AVCOL_SPC_RGB
            context.pointee.color_range = AVCOL_RANGE_JPEG
        default: break
        }
    }

    private func open(
        _ context: UnsafeMutablePointer<AVCodecContext>, _ codec: UnsafePointer<AVCodec>
    ) throws(MediaError) {
        var options: OpaquePointer?
        defer { lz_dict_free(&options) }
        for (name, value) in choice.options { _ = lz_dict_set(&options, name, value) }
        _ = FFmpegLog.takeLine()
        let status = lz_encoder_open(context, codec, &options)
        guard status >= 0 else {
            let error = FFmpegError(code: status, line: FFmpegLog.takeLine())
            throw MediaError(
                .notWritable, "\(choice.library) does not take this clip: \(error).",
                underlying: error)
        }
        if let left = lz_dict_first_key(options) {
            throw MediaError(
                .environment,
                "This FFmpeg's \(choice.name) does not know the option \(String(cString: left)).")
        }
    }

    private func encoding(_ status: CInt) throws(MediaError) {
        guard status < 0 else { return }
        let error = FFmpegError(code: status, line: FFmpegLog.takeLine())
        throw MediaError(
            .environment, "\(choice.library) could not encode a frame: \(error).",
            underlying: error)
    }
}

extension EncoderChoice {
    /// The error where FFmpeg lacks the encoder.
    var missing: MediaError {
        MediaError(
            .environment,
            "This machine's FFmpeg was built without \(library), which writes \(codec.rawValue).")
    }
}
