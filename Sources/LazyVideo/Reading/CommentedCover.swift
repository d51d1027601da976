internal import CFFmpeg
internal import FoundationEssentials
internal import LazyMedia

/// A cover picture in a comment, as songs had it before `METADATA_BLOCK_PICTURE`: base64 in `COVERART`.
///
/// FFmpeg makes a stream of the newer kind only. `COVERARTMIME` names the type, but the bytes tell it; one of `-->`
/// has an address in place of a picture, which is not followed.
struct CommentedCover: Sendable {
    let codec: AVCodecID
    private let bytes: [UInt8]

    /// Reads the comments of an open container, in Ogg those of its streams; nil where none is a picture.
    init?(_ demuxer: Demuxer) {
        guard let text = StreamChoice.tag("COVERART", of: demuxer),
            demuxer.limits.memory.map({ text.utf8.count < $0 / 4 }) ?? true,
            let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters),
            let codec = CoverArt.codec(of: data)
        else { return nil }
        (self.codec, bytes) = (codec, Array(data))
    }

    /// Decodes the picture.
    func picture(_ limits: DecodingLimits) throws(MediaError) -> Picture {
        guard let size = CInt(exactly: bytes.count) else { throw .outOfMemoryForCover }
        let packet = try Packet()
        try check(lz_packet_new(packet.pointer, size), "hold the cover art")
        packet.pointer.pointee.data.update(from: bytes, count: bytes.count)
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        return try CoverArt.picture(packet, codec, nil, limits).picture
    }
}

extension MediaError {
    fileprivate static let outOfMemoryForCover = MediaError(
        .unsupported, "The cover picture has more bytes than a decoder takes.")
}
