package import LazyEditing
package import LazyMedia

extension Rendition {
    /// Makes the poster of a source.
    func makePoster(
        _ choice: PosterChoice, of source: Source, into sinks: any Sinks,
        encoders: EncoderRegistry
    ) async throws(MediaError) -> Report {
        let type = output.type ?? .png
        let options = output.options(as: type, by: encoders)
        if edit.steps.isEmpty,
            let made = try await source.frames.encodedPoster(
                choice, as: type, options.filled(for: source.frames.info.size, as: type),
                texts: source.texts, by: encoders)
        {
            let sink = try sinks.open(.main, as: type)
            try made.file.readAll { (piece) throws(MediaError) in try sink.write(piece) }
            try sink.finish()
            return Report(
                self, .init(type: type, byteCount: made.file.count), size: made.poster.bitmap.size,
                details: .poster(made.poster),
                warnings: source.frames.info.warnings + made.poster.warnings
                    + losses(of: made.poster.bitmap, source, as: type, encoders))
        }
        let made = try await picture(of: source, as: type, encoders: encoders)
        let picture =
            reading.color == .source
            ? try await kept(made, of: source)
            : StillPicture(made.bitmap, texts: source.texts)
        let bytes = try await picture.encoded(as: type, options, by: encoders)
        let sink = try sinks.open(.main, as: type)
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(MediaError) in try sink.write(bytes) }
        }
        try result.get()
        try sink.finish()
        return Report(
            self, .init(type: type, byteCount: bytes.count), size: made.bitmap.size,
            details: .poster(made.poster),
            warnings: source.frames.info.warnings + made.warnings
                + losses(of: made.bitmap, source, as: type, encoders))
    }

    /// What a picture loses in a type.
    private func losses(
        of bitmap: Bitmap, _ source: Source, as type: MediaType, _ encoders: EncoderRegistry
    ) -> [MediaWarning] {
        let isFlattened = encoders.isOpaque(type) && !bitmap.isOpaqueThroughout
        return [
            isFlattened ? .flattened(type, over: output.encoding.background) : nil,
            depthLoss(of: source.frames.info, as: type),
        ].compactMap(\.self)
    }

    /// The picture of a poster that was chosen, in the colors of the source and with all its bits.
    ///
    /// It is decoded again where the edit was done to a picture of 8 bits.
    private func kept(
        _ made: EditedPoster, of source: Source
    ) async throws(MediaError) -> StillPicture {
        var kept = made.frame
        if kept == nil {
            guard let timing = made.poster.timing else {
                throw MediaError(.notWritable, "Of an embedded picture the colors are not kept.")
            }
            var edit = edit.named(source.name)
            edit.parts = []
            kept = try await source.frames.edited(edit)
                .poster(.at(timing.presentation.duration)).frame
        }
        guard let frame = kept else {
            throw MediaError(.notFound, "The input has no frame that can be shown.")
        }
        return StillPicture(
            frame.bitmap, deep: frame.deep, depth: source.frames.info.bitDepth, color: frame.color,
            texts: source.texts)
    }

    /// The picture of a poster as its edit shows it, for a type.
    ///
    /// What lies around it is opaque where the type has no transparency. A time behind the end is refused.
    package func picture(
        of source: Source, as type: MediaType, encoders: EncoderRegistry
    ) async throws(MediaError) -> EditedPoster {
        guard case .poster(let choice) = kind else {
            preconditionFailure("a poster is one picture")
        }
        var edit = edit.named(source.name)
        if let traits = encoders.traits(for: type) {
            edit = edit.surrounded(for: traits, output.encoding)
        }
        let made = try await source.frames.poster(choice, edit)
        if case .at(let time) = choice {
            try await Self.refuse(time, after: made.poster, of: source)
        }
        return made
    }

    /// Throws if a time is after the end of an animation, which a poster is otherwise clamped to.
    private static func refuse(
        _ time: Duration, after poster: Poster, of source: Source
    ) async throws(MediaError) {
        let frames = source.frames
        guard !frames.isStill, let timing = poster.timing else { return }
        var end = timing.presentation.microseconds + timing.duration.microseconds
        guard time.microseconds > end else { return }
        end = max(end, try await frames.playLength().microseconds)
        guard time.microseconds > end else { return }
        // A header may count the times of decoding, which end before the last pictures of a still scene do.
        if source.isLocal, let last = try await frames.frameIndex().timings.last {
            end = max(end, last.presentation.microseconds + last.duration.microseconds)
            guard time.microseconds > end else { return }
        }
        throw MediaError(
            .notFound,
            "The media ends at \(Duration.microseconds(end).inSeconds), before the requested time.")
    }
}
