internal import LazyMedia

extension OpenedVideo {
    /// Makes a decoder positioned before the first picture.
    ///
    /// `canvas` is the memory in bytes of the caller's frames.
    func makePictures(
        threads: Int, canvas: Int = 0, isSingleFrame: Bool = false, _ cancellation: CancellationFlag
    ) throws(MediaError) -> PictureSource {
        let source = try makeSource(isSingleFrame: isSingleFrame, cancellation)
        try limits.check(memory: canvas)
        let (stream, limits) = (stream, limits)
        let threads = stream.threads(threads, of: header.size, within: limits)
        let pictures = try PictureSource(
            source, id: stream.codec, from: stream.zero ?? 0, threads: threads,
            decodesAll: !isSingleFrame
        ) { (source, threads, decodesAll) throws(MediaError) in
            try VideoCodec(
                stream.codec, source.parameters,
                stream.setup(
                    threads: threads, decodesAll: decodesAll, limits: limits, beside: canvas))
        }
        pictures.canSeek = stream.container.isSeekable
        return pictures
    }

    /// Makes a source of the packets; of a movie of many samples for single frames by our own list.
    func makeSource(
        isSingleFrame: Bool = false, _ cancellation: CancellationFlag
    ) throws(MediaError) -> any PacketSource {
        guard case .demuxer(let name) = stream.container.kind else {
            return StillSource(try bytes.contiguous(within: limits), cancellation: cancellation)
        }
        let trimmed = isSingleFrame ? self.trimmed : nil
        let canTakeSpare = isSingleFrame || self.trimmed == nil
        if canTakeSpare, let spare = state.withLock({ $0.spare.take() }) {
            spare.demuxer.cancellation = cancellation
            if isSingleFrame, let ends = stream.ends { spare.demuxer.take(ends) }
            return spare.demuxer
        }
        let demuxer = try Demuxer(
            trimmed?.bytes ?? bytes, format: name, limits: limits, cancellation: cancellation)
        if stream.needsExamining { try demuxer.examine() }
        guard demuxer.streams.indices.contains(stream.index) else {
            throw MediaError(.malformed, "The video stream is no longer in the file.")
        }
        demuxer.choose(stream.index)
        if let trimmed { demuxer.adopt(trimmed.packets) }
        if isSingleFrame, let ends = stream.ends { demuxer.take(ends) }
        return demuxer
    }
}
