internal import CFFmpeg
internal import LazyMedia

extension VideoOpening {
    /// What the samples of a stream mean, with HEVC's metadata of the first packet.
    func colors(
        _ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>, _ traits: VideoCodec.Traits
    ) throws(MediaError) -> StreamColors {
        var colors = StreamColors(stream, isFilm: type.family == .video)
        guard stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_HEVC, colors.needsMetadata,
            colors.description(traits.color).isHDR
        else { return colors }
        if let metadata = traits.metadata {
            colors.complete(with: metadata)
        } else {
            let packet = try Packet()
            guard try demuxer.read(into: packet) else { return colors }
            colors.complete(
                with: HEVCMetadata.read(packet.bytes, extradata: demuxer.extradata))
            try demuxer.putBack(packet)
        }
        return colors
    }

    /// Tells what the samples are, as ffprobe does.
    func describe(_ info: inout MediaInfo, _ stream: VideoStream, _ traits: VideoCodec.Traits) {
        info.color = stream.colors.description(traits.color)
        info.hdrFormat = stream.colors.hdrFormat(info.color)
        info.fieldOrder = traits.fieldOrder ?? .progressive
        guard let form = lz_pix_fmt(traits.format) else { return }
        info.pixelFormat = lz_pix_fmt_name(traits.format).map { String(cString: $0) }
        let depth = Int(form.pointee.comp.0.depth)
        if depth > 0 { info.bitDepth = depth }
    }

    /// The container's bit rate, else that of the file's size.
    func bitRate(_ demuxer: Demuxer, _ duration: Duration?) -> Int64? {
        if let told = demuxer.format?.pointee.bit_rate, told > 0 { return told }
        guard let seconds = duration.map({ $0 / .seconds(1) }), seconds > 0, !bytes.isPartial
        else { return nil }
        return Int64(exactly: (Double(bytes.count) * 8 / seconds).rounded())
    }
}
