public import LazyMedia

extension FrameSequence {
    /// The sequence with an edit applied.
    ///
    /// Random access is exact: frame `i` is the same whether it was sought or reached in sequence. An
    /// edit that drops or reorders frames needs the timing of every frame, which reads a video's
    /// packets once; a smart gravity decodes a few small frames, and looking for black bars 24 frames;
    /// subtitles of a track are read from its beginning to its end. Keeps the type and the loop count.
    /// Throws `.notFound` if nothing is left, and `.notWritable` for a speed or rate out of range.
    public func edited(_ edit: ClipEdit) async throws(MediaError) -> FrameSequence {
        let edit = try await located(edit)
        return try await applying(edit.steps, of: edit)
    }

    /// A poster as an edit shows it.
    ///
    /// It is chosen from pictures that are cropped and turned, and not yet scaled, padded or drawn on. A
    /// smart gravity of the size looks at the poster alone.
    package func poster(
        _ choice: PosterChoice, _ edit: ClipEdit
    ) async throws(MediaError) -> EditedPoster {
        let sequence = try await applying(edit.steps.filter(\.precedesScaling), of: edit)
        if let size = edit.size { try limits.check(canvas: sequence.decodedSize(size)) }
        let last = edit.steps.filter { !$0.precedesScaling }
            .flatMap { $0.expanded(for: sequence.info.size) }
        let poster = try await sequence.poster(choice, size: edit.size ?? last.firstSize)
        var later: [EditStep] = []
        for step in last {
            // What is left to settle is decided by the poster.
            if case .overlay(let overlays) = step {
                later.append(.overlay(try await reading(overlays.map(\.still))))
            } else {
                later.append(step)
            }
        }
        let steps = later
        return try await cancellable { (flag) throws(MediaError) in
            let options = ReaderOptions(limits: limits, cancellation: flag)
            var (bitmap, warnings) = (poster.bitmap, poster.warnings)
            for step in steps {
                bitmap = try step.applied(to: bitmap, limits: limits) {
                    (overlays, bitmap) throws(MediaError) in
                    let painter = OverlayPainter(overlays, for: bitmap.size, of: media, options)
                    defer { warnings += painter.warnings }
                    return try painter.paint(bitmap, poster.timing)
                }
            }
            // A step that is no more than scaling was applied while the poster was decoded.
            let isScaled = steps.allSatisfy(\.isFit) && bitmap.size == poster.bitmap.size
            return EditedPoster(
                poster: poster, bitmap: bitmap, frame: isScaled ? poster.frame : nil,
                warnings: warnings)
        }
    }

    private func applying(
        _ steps: [EditStep], of edit: ClipEdit
    ) async throws(MediaError) -> FrameSequence {
        var sequence = surrounded(by: edit.surroundings)
        for step in steps {
            for step in step.expanded(for: sequence.info.size) {
                sequence = try sequence.applying(try await step.settled(for: sequence, of: edit))
            }
        }
        return sequence
    }
}

/// A poster as an edit shows it.
package struct EditedPoster: Sendable {
    /// What was chosen.
    package let poster: Poster
    /// Its picture after the edit.
    package let bitmap: Bitmap
    /// The same with its colors and all its bits; nil where only the picture of 8 bits was edited.
    package let frame: Frame?
    /// Its damage, and what of its overlays is not drawn.
    package let warnings: [MediaWarning]
}

extension EditStep {
    fileprivate var isFit: Bool { if case .fit = self { true } else { false } }
}

extension [EditStep] {
    /// The size that pictures are scaled to before all else, so that they are decoded at it.
    fileprivate var firstSize: TargetSize? {
        guard case .fit(let target, _)? = first, target.fit == .fill else { return nil }
        return target
    }
}
