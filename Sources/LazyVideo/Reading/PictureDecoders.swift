internal import CFFmpeg
package import LazyMedia

/// Decodes pictures of other formats' items with FFmpeg's decoders.
///
/// libavformat, which takes most of the time of loading FFmpeg, is not needed.
package struct PictureDecoders: CodedPictureDecoding {
    /// Makes a value; costs nothing.
    package init() {}

    /// Loads FFmpeg and looks for a decoder.
    package func require(_ codec: PictureCodec) throws(MediaError) {
        try FFmpegLibrary.loadForWriting()
        guard VideoCodec.canDecode(codec.id) else {
            throw MediaError(
                .unsupported, "This FFmpeg has no decoder for the codec \(codec.rawValue).")
        }
    }

    /// Makes a decoder.
    package func makeDecoder(
        _ setup: PictureDecoderSetup
    ) throws(MediaError) -> any CodedPictureDecoder {
        try require(setup.codec)
        lz_allow_allocations((setup.memory ?? .max) / 2)
        return try SinglePictureDecoder(setup)
    }
}

extension PictureCodec {
    /// FFmpeg's name of the codec.
    fileprivate var id: AVCodecID {
        switch self {
        case .hevc: AV_CODEC_ID_HEVC
        case .h264: AV_CODEC_ID_H264
        case .av1: AV_CODEC_ID_AV1
        case .jpeg: AV_CODEC_ID_MJPEG
        }
    }
}

/// Decodes pictures that refer to no other.
///
/// A damaged one is decoded again into memory that was cleared: it looks the same each time then.
private final class SinglePictureDecoder: CodedPictureDecoder {
    private let setup: PictureDecoderSetup
    private let codec: VideoCodec
    private let packet: Packet

    init(_ setup: PictureDecoderSetup) throws(MediaError) {
        _ = FFmpegLog.takeLine()
        self.setup = setup
        codec = try Self.makeCodec(setup)
        packet = try Packet()
    }

    /// With one thread: rows of HEVC that threads share come out differently where one of them is damaged, and FFmpeg
    /// does not tell.
    private static func makeCodec(_ setup: PictureDecoderSetup) throws(MediaError) -> VideoCodec {
        let codec = try VideoCodec(
            setup.codec.id, nil,
            VideoCodec.Setup(
                configuration: setup.configuration, pixels: setup.pixels, memory: setup.memory))
        if setup.isQuick { codec.skipsDeblocking = true }
        return codec
    }

    func decode(
        _ bytes: [UInt8], _ use: (SamplePlanes) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard let size = CInt(exactly: bytes.count), size > 0 else {
            throw MediaError(.malformed, "A coded picture has no data.")
        }
        defer { packet.clear() }
        packet.clear()
        try check(lz_packet_new(packet.pointer, size), "hold the picture's bytes")
        packet.pointer.pointee.data.update(from: bytes, count: bytes.count)
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        if let picture = try soundPicture() {
            return try use(try picture.samplePlanes(setup.codec, isDamaged: false))
        }
        let steady = try Self.makeCodec(setup)
        steady.clearsPictures()
        try use(try picture(of: steady).samplePlanes(setup.codec, isDamaged: true))
    }

    /// The packet's picture, or nil where it is damaged.
    private func soundPicture() throws(MediaError) -> Picture? {
        let errors = codec.errorCount
        _ = codec.unfinishedCount(isAtEnd: true)
        do throws(MediaError) {
            let picture = try picture(of: codec)
            let isWhole = codec.unfinishedCount(isAtEnd: true) == 0
            return codec.errorCount > errors || !isWhole || picture.isDamaged ? nil : picture
        } catch  where [.malformed, .truncated].contains(error.code) {
            return nil
        }
    }

    private func picture(of codec: VideoCodec) throws(MediaError) -> Picture {
        defer { codec.flush() }
        let sent = codec.send(packet)
        if let refusal = codec.refusal { throw refusal }
        try check(sent, "decode the picture")
        _ = codec.send(nil)
        let picture = try Picture()
        let status = codec.receive(picture)
        if let refusal = codec.refusal { throw refusal }
        try check(status, "decode the picture")
        return picture
    }
}

extension Picture {
    /// The samples, where they are in planes of their own.
    fileprivate func samplePlanes(
        _ codec: PictureCodec, isDamaged: Bool
    ) throws(MediaError) -> SamplePlanes {
        let frame = pointer.pointee
        guard let size, let first = lz_plane(pointer, 0) else {
            throw MediaError(.malformed, "A picture has no size.")
        }
        guard let form = CodedForm(frame.format), form.planeCount < 4 else {
            throw MediaError(
                .unsupported,
                "The picture's layout of samples is not read here (\(codec.rawValue)).")
        }
        func plane(_ number: CInt, _ start: UnsafePointer<UInt8>) -> SamplePlanes.Plane {
            SamplePlanes.Plane(start, stride: Int(lz_plane_stride(pointer, number)))
        }
        var chroma: (u: SamplePlanes.Plane, v: SamplePlanes.Plane)?
        if form.planeCount == 3 {
            guard let u = lz_plane(pointer, 1), let v = lz_plane(pointer, 2) else {
                throw MediaError(.malformed, "A picture lacks its colors.")
            }
            chroma = (plane(1, u), plane(2, v))
        }
        let colors = PictureColors(frame, size, StreamColors(ofStills: codec.id))
        var color = colors.color
        color.isFullRange = colors.isFullRange
        return SamplePlanes(
            size: size, depth: form.bitDepth, luma: plane(0, first), chroma: chroma,
            isHalfWidth: form.isHalfWidth, isHalfHeight: form.isHalfHeight,
            color: color, isDamaged: isDamaged)
    }
}
