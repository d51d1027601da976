internal import LazyEditing
internal import LazyMedia
internal import LazyPreviews

extension PosterCommand {
    func job(_ inputs: [Input]) throws -> PosterJob {
        try refuseContradictions()
        var target = try frame.target(isCropping: edits.cropsByGravity)
        if let side = xdgThumbnail?.side {
            target = TargetSize(width: side, height: side, fit: .scaleDown)
        }
        return PosterJob(
            output: destination.output, format: destination.format, choice: at, target: target,
            gravity: frame.gravity ?? .center,
            edit: try edits.edit(frame.gravity, options.limits.limits.choice),
            fallback: try fallback.map(Self.fallback),
            encoding: EncodingOptions(
                quality: encoding.quality, effort: encoding.effort,
                background: transparency.background),
            thumbnail: xdgThumbnail, isExplained: explain, overwrite: options.existing.policy,
            reading: decoding.rendering.rendering(try options.reading(inputs)))
    }

    private static func fallback(_ text: String) throws(CommandFailure) -> Input {
        let inputs = try Input.parse([text])
        guard let input = inputs.first, input.address != .standardInput else {
            throw .usage("--fallback needs the name of an image.")
        }
        return input
    }

    // The standard defines size and format of a thumbnail.
    private func refuseContradictions() throws(CommandFailure) {
        guard xdgThumbnail != nil else { return }
        let given =
            [
                ("--output", destination.output != nil), ("--format", destination.format != nil),
                ("--width", frame.size.width != nil), ("--height", frame.size.height != nil),
                ("--size", frame.size.size != nil), ("--gravity", frame.gravity != nil),
                ("--quality", encoding.quality != nil), ("--effort", encoding.effort != nil),
                ("--background", transparency.background != nil), ("--fallback", fallback != nil),
                ("--track", options.limits.track != .main),
            ] + edits.given
        if let (name, _) = given.first(where: \.1) {
            throw .usage("--xdg-thumbnail cannot be combined with \(name).")
        }
    }
}
