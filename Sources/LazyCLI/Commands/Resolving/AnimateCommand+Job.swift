internal import LazyEditing
internal import LazyMedia
internal import LazyPreviews

extension AnimateCommand {
    func job(_ inputs: [Input]) throws -> AnimateJob {
        AnimateJob(
            thumbnail: try thumbnail(), format: destination.format, output: destination.output,
            expectsSilence: encoding.noAudio, isExplained: explain,
            overwrite: options.existing.policy,
            reading: pictures.timing(
                decoding.rendering.rendering(try options.reading(inputs)), rate: clip.fps))
    }

    /// The options as a thumbnail; the type follows from each output.
    private func thumbnail() throws(CommandFailure) -> AnimatedThumbnail {
        try refuseContradictions()
        let usual = AnimatedThumbnail()
        var (edit, length) = (try clip.edit(options.limits.limits.choice), usual.length)
        let isUsualSize = edit.size == nil
        if isUsualSize { edit.size = usual.edit.size }
        if let wanted = clearedLength { (edit.segments, length) = ([], wanted) }
        if whole { edit.segments = [.zero..<ClipEdit.toTheEnd] }
        var thumbnail = AnimatedThumbnail(
            edit: edit, length: length, pieces: pieces ?? usual.pieces, seam: loopSeam ?? .auto,
            looping: encoding.loop ?? .forever, encoding: encoding.options(), maxBytes: maxBytes)
        thumbnail.keepsFlatArt = isUsualSize
        return thumbnail
    }

    /// A duration alone is the length of the thumbnail, from anywhere in the clip.
    private var clearedLength: Duration? {
        clip.range.start == nil && clip.range.end == nil ? clip.range.duration : nil
    }

    private func refuseContradictions() throws(CommandFailure) {
        let isGiven = clip.hasRange && clearedLength == nil
        if whole, clip.hasRange {
            throw .usage("--whole cannot be combined with a range.")
        }
        if pieces != nil, isGiven || whole {
            throw .usage("--pieces cannot be combined with --whole or a range.")
        }
        if clip.bounce, let seam = loopSeam, seam == .crossfade || seam == .none {
            throw .usage("--bounce cannot be combined with --loop-seam \(seam.rawValue).")
        }
        if clip.crossfade != nil, let seam = loopSeam, seam != .crossfade {
            throw .usage("--crossfade cannot be combined with --loop-seam \(seam.rawValue).")
        }
        if clip.bounce, clip.crossfade != nil {
            throw .usage("--bounce cannot be combined with --crossfade.")
        }
    }
}
