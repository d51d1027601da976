internal import LazyEditing
internal import LazyMedia
internal import LazyPreviews

extension SheetCommand {
    func job(_ inputs: [Input]) throws -> SheetJob {
        SheetJob(
            output: destination.output, format: destination.format, layout: try tiles.layout(),
            edit: try tiles.edits.edit(tiles.frame.gravity, options.limits.limits.choice),
            hasHeader: tiles.heading, options: files.options(), writesVTT: files.vtt,
            writesJSON: files.jsonFile,
            prefix: files.urlPrefix ?? "", overwrite: options.existing.policy,
            reading: decoding.rendering.rendering(try options.reading(inputs)))
    }
}

extension SheetOptions {
    /// The options as a layout; throws for contradictions.
    func layout() throws(CommandFailure) -> SheetLayout {
        let target = try frame.target(isCropping: edits.cropsByGravity) ?? TargetSize(width: 160)
        if let interval, interval <= .zero { throw .usage("--interval must be above 0.") }
        guard gap <= 1024 else { throw .usage("--gap must be at most 1024 pixels.") }
        var layout = SheetLayout(
            interval: interval, count: count, columns: columns, rows: rows, tile: target,
            gravity: frame.gravity ?? .center, gap: gap, background: background,
            precision: precision?.layout ?? .near)
        layout.stampsTime = stamp
        return layout
    }
}

extension SheetFileOptions {
    /// The options for an encoder.
    func options() -> EncodingOptions {
        EncodingOptions(
            quality: encoding.quality, effort: encoding.effort, threads: threading.threads)
    }
}
