internal import CFFmpeg
internal import LazyMedia

/// Decodes packets to pictures; owns an `AVCodecContext`.
final class VideoCodec {
    /// The configuration of a decoder.
    struct Setup {
        /// The number of threads.
        var threads = 1
        /// Whether threads share one picture, instead of each decoding another.
        var isSlicing = false
        /// The decoder configuration, where there are no parameters of a stream.
        var configuration: [UInt8] = []
        /// Seconds per tick of the packets' times.
        var timeBase = AVRational(num: 1, den: 1_000_000)
        /// The most pixels a picture may have.
        var pixels: Int?
        /// The most bytes of its pictures together.
        var memory: Int?
        /// The bytes by which the limit of memory was reduced for the frames made of pictures.
        var reserved = 0
        /// The whole limit of memory, of which pictures of a film may take a part; nil for others.
        var film: DecodingLimits?
        /// Whether alpha is stored in a second stream, which only the libvpx decoders read.
        var hasSeparateAlpha = false
    }

    private var context: UnsafeMutablePointer<AVCodecContext>?
    // The memory of the pictures that FFmpeg's own decoders allocate.
    private var pictures: OpaquePointer?
    private let id: AVCodecID
    private let setup: Setup
    private var layout = NALLayout.startCodes
    // The error for a packet that was rejected before the decoder saw it.
    private var refused: MediaError?

    /// Opens the decoder for a codec; throws `.unsupported` where this FFmpeg has none.
    init(
        _ id: AVCodecID, _ parameters: UnsafePointer<AVCodecParameters>?, _ setup: Setup
    ) throws(MediaError) {
        (self.id, self.setup) = (id, setup)
        guard let decoder = Self.decoder(for: id, setup) else {
            throw MediaError(
                .unsupported,
                "This FFmpeg has no decoder for the codec \(CodecName.of(id, tag: parameters?.pointee.codec_tag ?? 0))."
            )
        }
        context = lz_codec_alloc(decoder)
        guard let context else {
            throw MediaError(.environment, "There is no memory for a decoder.")
        }
        LiveHandles.didOpen()
        if let parameters {
            try check(lz_codec_take_parameters(context, parameters), "set up the decoder")
        }
        if !setup.configuration.isEmpty {
            try check(
                lz_codec_configure(context, setup.configuration, setup.configuration.count),
                "set up the decoder")
        }
        let header = UnsafeBufferPointer(
            start: context.pointee.extradata, count: Int(max(0, context.pointee.extradata_size)))
        layout = id == AV_CODEC_ID_HEVC ? NALLayout(hevc: header) : NALLayout(extradata: header)
        context.pointee.thread_count = CInt(
            try threads(for: DeclaredPictures(header: header, id)))
        if setup.isSlicing { context.pointee.thread_type = FF_THREAD_SLICE }
        context.pointee.pkt_timebase = setup.timeBase
        if let pixels = setup.pixels { context.pointee.max_pixels = Int64(pixels) }
        if let memory = setup.memory {
            pictures = lz_pictures_new(Int64(memory))
            lz_codec_bound(context, pictures)
        }
        try check(lz_codec_open(context, decoder), "open the decoder")
    }

    deinit {
        guard context != nil else { return }
        lz_codec_free(&context)
        if let pictures { lz_pictures_release(pictures) }
        LiveHandles.didClose()
    }

    /// Whether this FFmpeg has a decoder for a codec.
    static func canDecode(_ id: AVCodecID) -> Bool { lz_find_decoder(id) != nil }

    private static func decoder(for id: AVCodecID, _ setup: Setup) -> UnsafePointer<AVCodec>? {
        let name: String? =
            switch id {
            case AV_CODEC_ID_VP8 where setup.hasSeparateAlpha: "libvpx"
            case AV_CODEC_ID_VP9 where setup.hasSeparateAlpha: "libvpx-vp9"
            // Several times as fast as FFmpeg's own, which needs hardware.
            case AV_CODEC_ID_AV1: "libdav1d"
            default: nil
            }
        return name.flatMap { lz_find_decoder_named($0) } ?? lz_find_decoder(id)
    }

    /// Which pictures are skipped.
    var skip: AVDiscard {
        get { context?.pointee.skip_frame ?? AVDISCARD_DEFAULT }
        set { context?.pointee.skip_frame = newValue }
    }

    /// Whether deblocking is skipped: faster, and errors accumulate in pictures that refer to these.
    var skipsDeblocking: Bool {
        get { context?.pointee.skip_loop_filter == AVDISCARD_ALL }
        set { context?.pointee.skip_loop_filter = newValue ? AVDISCARD_ALL : AVDISCARD_DEFAULT }
    }

    /// Sends a packet, or nil to drain the decoder; returns FFmpeg's code.
    func send(_ packet: Packet?) -> CInt {
        if let packet {
            do throws(MediaError) { try refuseHeader(packet) } catch {
                refused = error
                return LZ_ERROR_INVALID
            }
        }
        return lz_send(context, packet?.pointer)
    }

    /// Why a picture was rejected for its size, or nil.
    var refusal: MediaError? {
        if let refused { return refused }
        guard let pictures, case let bytes = lz_pictures_refused(pictures), bytes > 0 else {
            return nil
        }
        do throws(MediaError) {
            try refuse(memory: Int(bytes))
            return nil
        } catch {
            return error
        }
    }

    /// The threads for pictures that a header declares; throws where even one needs too much memory.
    private func threads(for declared: DeclaredPictures?) throws(MediaError) -> Int {
        guard let declared, let memory = setup.memory else { return setup.threads }
        let threads = declared.threads(setup.threads, within: memory)
        let bytes = declared.bytes(threads: threads)
        if bytes > memory { try refuse(memory: bytes) }
        return threads
    }

    /// Throws if pictures exceed the memory that is left to them; the error names the whole limit.
    private func refuse(memory bytes: Int) throws(MediaError) {
        if let film = setup.film { return try film.check(filmMemory: bytes + setup.reserved) }
        let most = setup.memory.map { $0 + setup.reserved }
        try DecodingLimits(memory: most).check(memory: bytes + setup.reserved)
    }

    /// Throws if a packet's header declares pictures that need too much memory in a library.
    private func refuseHeader(_ packet: Packet) throws(MediaError) {
        let limits = DecodingLimits(pixelsPerFrame: setup.pixels)
        if id == AV_CODEC_ID_AV1, let header = AV1Header.largest(in: packet.bytes) {
            try limits.checkPixels(header.size)
            // Eight references and the picture itself; coefficients of frames being decoded.
            let count = 9 + (setup.threads > 1 ? 4 : 0)
            try refuse(memory: header.pictureBytes * count)
        } else if packet.isKey, let declared = DeclaredPictures(packet: packet.bytes, layout, id) {
            if let memory = setup.memory, case let bytes = declared.bytes(threads: 1),
                bytes > memory
            {
                try refuse(memory: bytes)
            }
        } else if setup.hasSeparateAlpha {
            for bytes in [packet.bytes, packet.alphaBytes] {
                let pixels = VPXHeader.maxPixels(bytes, id)
                if let size = PixelSize(checking: pixels, 1) { try limits.checkPixels(size) }
                let one = VPXHeader.pictureBytes(bytes, id, pixels: pixels)
                try refuse(memory: one * 12)
            }
        }
    }

    /// Receives a picture; returns FFmpeg's code.
    func receive(_ picture: Picture) -> CInt { lz_receive(context, picture.pointer) }

    /// Resets the decoder before a seek.
    func flush() { lz_codec_flush(context) }

    /// Whether pictures may be presented in another order than they are coded in.
    var isReordering: Bool { context.map { $0.pointee.has_b_frames > 0 } ?? false }

    /// Reads the first packet for codecs whose header is incomplete; decodes no picture.
    ///
    /// Throws if its pictures are too large.
    func traits(reading packet: Packet) throws(MediaError) -> Traits {
        guard let context else { return Traits(nil) }
        // Decoders that set their parameters from packets (H.264, MJPEG, JPEG 2000) do so while skipping.
        skip = AVDISCARD_ALL
        let status = send(packet)
        skip = AVDISCARD_DEFAULT
        if let refusal { throw refusal }
        if status < 0 {
            let error = FFmpegError(code: status, line: FFmpegLog.takeLine())
            let fault = error.mediaError("read the first packet")
            if fault.code == .limitExceeded { throw fault }
        }
        var traits = Traits(context)
        let parsed = lz_parse(context, packet.pointer)
        if let size = PixelSize(checking: Int(parsed.width), Int(parsed.height)) {
            traits.isContradicted = traits.size != nil && traits.size != size
            if traits.size == nil { traits.size = size }
        }
        if traits.format < 0 { traits.format = parsed.format }
        traits.fieldOrder = FieldOrder(AVFieldOrder(UInt32(bitPattern: parsed.field_order)))
        let header = UnsafeBufferPointer(
            start: context.pointee.extradata, count: Int(max(0, context.pointee.extradata_size)))
        traits.metadata = HDRMetadata.read(packet, id, extradata: header)
        flush()
        return traits
    }
}
