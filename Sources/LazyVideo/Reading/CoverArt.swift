internal import CFFmpeg
internal import LazyMedia

/// The picture that a container has for the whole file (`attached_pic`).
struct CoverArt: Sendable {
    private let bytes: any ByteSource
    private let format: String
    private let needsExamining: Bool
    private let known: PixelSize?
    // The picture of a comment, where no stream has one.
    private let comment: CommentedCover?

    /// Refers to the picture of an open container, or is nil where it has none.
    init?(_ demuxer: Demuxer, format: String, of bytes: any ByteSource) {
        let poster = StreamChoice(demuxer).poster
        comment = poster == nil ? CommentedCover(demuxer) : nil
        guard poster != nil || comment != nil else { return nil }
        let parameters = poster?.pointee.codecpar.pointee
        known = parameters.flatMap { PixelSize(checking: Int($0.width), Int($0.height)) }
        self.bytes = bytes
        self.format = format
        needsExamining = demuxer.isExamined
    }

    /// The picture as a stream, where the container has none for it.
    func stream(_ index: Int, _ size: PixelSize?) -> StreamInfo? {
        comment.map {
            StreamInfo(
                index: index, kind: .attachedPicture, codec: CodecName.of($0.codec),
                codedSize: size, isChosen: false)
        }
    }

    /// The size of the picture, or nil where none comes out of it.
    func size(within limits: DecodingLimits) throws(MediaError) -> PixelSize? {
        if let known { return known }
        return try picture(ReaderOptions(limits: limits))?.picture.size
    }

    /// Decodes the picture at its own size, or at that of the options.
    func bitmap(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard let (picture, codec) = try picture(options), let size = picture.size else {
            return nil
        }
        try options.limits.check(canvas: options.size ?? size)
        let converter = FrameConverter(
            to: options.size ?? size, .upright,
            PictureOutput(colors: StreamColors(ofStills: codec), output: options.color),
            isAlwaysOpaque: false)
        return try converter.bitmap(picture)
    }

    private func picture(
        _ options: ReaderOptions
    ) throws(MediaError) -> (picture: Picture, codec: AVCodecID)? {
        if let comment {
            return (try comment.picture(options.limits), comment.codec)
        }
        let demuxer = try Demuxer(
            bytes, format: format, limits: options.limits, cancellation: options.cancellation)
        if needsExamining { try demuxer.examine() }
        var failure: MediaError?
        var damaged: (picture: Picture, codec: AVCodecID)?
        for poster in StreamChoice(demuxer).posters.prefix(Self.maxAttempts) {
            do throws(MediaError) {
                let found = try Self.picture(of: poster, options)
                if found.isSound { return (found.picture, found.codec) }
                damaged = damaged ?? (found.picture, found.codec)
            } catch {
                guard error.code != .limitExceeded, error.code != .cancelled else { throw error }
                failure = failure ?? error
            }
        }
        // Better than none.
        if let damaged { return damaged }
        if let failure { throw failure }
        return nil
    }

    /// So many pictures are decoded where the first ones are damaged.
    private static let maxAttempts = 8

    private static func picture(
        of poster: UnsafeMutablePointer<AVStream>, _ options: ReaderOptions
    ) throws(MediaError) -> (picture: Picture, codec: AVCodecID, isSound: Bool) {
        if let codec = codec(of: poster.pointee.attached_pic) {
            poster.pointee.codecpar.pointee.codec_id = codec
        }
        let packet = try Packet()
        try check(lz_packet_ref(packet.pointer, &poster.pointee.attached_pic), "read the cover art")
        let parameters = poster.pointee.codecpar
        let id = poster.pointee.codecpar.pointee.codec_id
        let found = try picture(packet, id, parameters, options.limits)
        return (found.picture, id, found.isSound)
    }

    /// Decodes the one picture of a packet, and tells whether its decoder had no error.
    static func picture(
        _ packet: Packet, _ id: AVCodecID, _ parameters: UnsafePointer<AVCodecParameters>?,
        _ limits: DecodingLimits
    ) throws(MediaError) -> (picture: Picture, isSound: Bool) {
        let codec = try VideoCodec(
            id, parameters,
            VideoCodec.Setup(pixels: limits.pixelsPerFrame, memory: limits.memory))
        // One that ends early begins black.
        codec.clearsPictures()
        let picture = try Picture()
        _ = codec.send(packet)
        _ = codec.send(nil)
        let status = codec.receive(picture)
        if let refusal = codec.refusal { throw refusal }
        try check(status, "decode the cover art")
        return (picture, codec.errorCount == 0 && !picture.isDamaged)
    }

    /// The codec by the bytes of a picture: what tags say of them is often wrong.
    private static func codec(of packet: AVPacket) -> AVCodecID? {
        codec(of: UnsafeBufferPointer(start: packet.data, count: max(0, Int(packet.size))))
    }

    /// The codec by the first bytes of a picture.
    static func codec(of head: some Sequence<UInt8>) -> AVCodecID? {
        signatures.first { head.starts(with: $0.bytes) }?.codec
    }

    private static let signatures: [(bytes: [UInt8], codec: AVCodecID)] = [
        ([0xFF, 0xD8, 0xFF], AV_CODEC_ID_MJPEG), ([0x89, 0x50, 0x4E, 0x47], AV_CODEC_ID_PNG),
        (Array("GIF8".utf8), AV_CODEC_ID_GIF),
    ]
}
