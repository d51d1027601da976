internal import CFFmpeg
internal import LazyMedia

/// Decodes packets to pictures; owns an `AVCodecContext`.
final class VideoCodec {
    /// The configuration of a decoder.
    struct Setup {
        /// The number of threads.
        var threads = 1
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
        /// Whether JPEG 2000 has the block coding of its Part 15.
        var hasHighThroughput = false
    }

    private var context: UnsafeMutablePointer<AVCodecContext>?
    // The memory of the pictures that FFmpeg's own decoders allocate, and what decoders log.
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
            if setup.hasHighThroughput { throw Self.noHighThroughput }
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
        context.pointee.pkt_timebase = setup.timeBase
        if let pixels = setup.pixels { context.pointee.max_pixels = Int64(pixels) }
        pictures = lz_pictures_new(setup.memory.map(Int64.init) ?? .max)
        guard let pictures else {
            throw MediaError(.environment, "There is no memory for a decoder.")
        }
        lz_codec_bound(context, pictures)
        try check(lz_codec_open(context, decoder), "open the decoder")
    }

    deinit {
        guard context != nil else { return }
        lz_codec_free(&context)
        if let pictures { lz_pictures_release(pictures) }
        LiveHandles.didClose()
    }

    private static let noHighThroughput = MediaError(
        .unsupported,
        "This is a High-Throughput JPEG 2000 picture (HTJ2K), which FFmpeg before 6.1 does not read without OpenJPEG."
    )

    /// Whether this FFmpeg has a decoder for a codec.
    static func canDecode(_ id: AVCodecID) -> Bool { lz_find_decoder(id) != nil }

    private static func decoder(for id: AVCodecID, _ setup: Setup) -> UnsafePointer<AVCodec>? {
        if setup.hasHighThroughput { return highThroughputDecoder }
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

    /// FFmpeg's own decoder has this block coding from 6.1 on; before, it shows noise.
    private static var highThroughputDecoder: UnsafePointer<AVCodec>? {
        let isNew = lz_avcodec_version() >= 60 << 16 | 31 << 8
        return isNew ? lz_find_decoder(AV_CODEC_ID_JPEG2000) : lz_find_decoder_named("libopenjpeg")
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
        } else if setup.hasHighThroughput {
            try refuse(
                memory: JPEG2000Codestream(UnsafeRawBufferPointer(packet.bytes))?.libraryBytes ?? 0)
        } else if setup.hasSeparateAlpha {
            for bytes in [packet.bytes, packet.alphaBytes] {
                let pixels = VPXHeader.maxPixels(bytes, id)
                if let size = PixelSize(checking: pixels, 1) { try limits.checkPixels(size) }
                let one = VPXHeader.pictureBytes(bytes, id, pixels: pixels)
                try refuse(memory: one * 12)
            }
        }
    }

    /// The errors that the decoder logged so far, on any of its threads.
    ///
    /// For damage inside a picture many decoders return no error and do not mark the picture.
    var errorCount: Int { pictures.map { Int(lz_pictures_errors($0)) } ?? 0 }

    /// The pictures of HEVC since the last call whose data ended early, which is no error to FFmpeg.
    ///
    /// Those that threads may still be decoding are looked at later, or now if the decoder is at its end.
    func unfinishedCount(isAtEnd: Bool) -> Int {
        guard let pictures, id == AV_CODEC_ID_HEVC else { return 0 }
        let running = setup.threads > 1 && !isAtEnd ? setup.threads : 0
        return Int(lz_pictures_unfinished(pictures, CInt(running)))
    }

    /// The first of them in FFmpeg's words; empty without one.
    var firstErrorLine: String { pictures.map { String(cString: lz_pictures_line($0)) } ?? "" }

    /// Makes pictures begin black, instead of as what was last decoded into their memory.
    func clearsPictures() { if let pictures { lz_pictures_clear(pictures) } }

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
