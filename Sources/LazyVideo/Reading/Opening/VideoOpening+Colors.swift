internal import CFFmpeg
internal import LazyMedia

extension VideoOpening {
    /// What the samples of a stream mean, with the metadata of the first packet for HDR.
    func colors(
        _ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>, _ traits: VideoCodec.Traits,
        _ aspect: AVRational
    ) throws(MediaError) -> StreamColors {
        var colors = StreamColors(
            stream, isFilm: type.family == .video, pixelAspect: Self.pixelAspect(aspect))
        guard colors.description(traits.color).isHDR else { return colors }
        if let metadata = traits.metadata {
            colors.complete(with: metadata)
        } else if let metadata = try firstMetadata(demuxer, stream) {
            colors.complete(with: metadata)
        }
        return colors
    }

    private func firstMetadata(
        _ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>
    ) throws(MediaError) -> HDRMetadata? {
        let codec = stream.pointee.codecpar.pointee.codec_id
        guard [AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_VP9].contains(codec) else {
            return nil
        }
        let packet = try Packet()
        guard try demuxer.read(into: packet) else { return nil }
        let metadata = HDRMetadata.read(packet, codec, extradata: demuxer.extradata)
        try demuxer.putBack(packet)
        return metadata
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
        return bytes.bitRate(for: duration)
    }

    /// The length of which the container's bit rate was made, with the file's size; nil where it has one of its own.
    func bitRateLength(_ demuxer: Demuxer) -> Duration? {
        guard let told = demuxer.format?.pointee.bit_rate, told > 0,
            let length = demuxer.duration.map({ Duration.microseconds($0) }),
            let own = bytes.bitRate(for: length)
        else { return nil }
        // FFmpeg rounds down.
        return told.subtracting(own).magnitude <= told.magnitude / 1000 + 1 ? length : nil
    }
}

extension ByteSource {
    /// The bits of all bytes in a second of a length; nil while they arrive.
    func bitRate(for length: Duration?) -> Int64? {
        guard let seconds = length.map({ $0 / .seconds(1) }), seconds > 0, !isPartial else {
            return nil
        }
        return Int64(exactly: (Double(count) * 8 / seconds).rounded())
    }
}
