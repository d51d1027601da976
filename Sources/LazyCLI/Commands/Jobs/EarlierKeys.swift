internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// The lines whose digests the journals of earlier versions hold for a job: they never change.
enum EarlierKeys {
    /// An edit as earlier versions may have had it: boxes enlarged there, too.
    static func forms(of edit: ClipEdit) -> [ClipEdit] {
        guard edit.size?.fit == .scaleDown else { return [edit] }
        var enlarging = edit
        enlarging.size?.fit = .contain
        return [edit, enlarging]
    }

    /// The line of a poster of version 0.1.0, with that version.
    static func poster(
        format: OutputFormat?, _ choice: PosterChoice, _ edit: ClipEdit,
        _ encoding: EncodingOptions, _ thumbnails: [ThumbnailSize], _ fallback: Input?,
        _ reading: Reading
    ) -> String {
        let sizes = thumbnails.map(\.rawValue).joined(separator: "+")
        var words = [
            "format=\(format?.rawValue ?? "by-name")", "at=\(text(choice))",
            "edit=\(edit.identifier)", "encoding=\(JobKey.encoding(encoding))",
            "thumbnail=\(sizes.isEmpty ? "-" : sizes)",
        ]
        if let fallback { words.append("fallback=\(fallback.label)") }
        words += JobKey.rendering(reading)
        return "poster " + words.joined(separator: " ") + "\n0.1.0"
    }

    /// The line of an animation of version 0.1.0.
    static func animation(
        format: OutputFormat?, _ rendition: Rendition, _ edit: ClipEdit, _ reading: Reading
    ) -> String {
        guard case .animation(let animation) = rendition.kind else { return "" }
        var (edit, limit) = (edit, "none")
        let keepsFlatArt = edit.size == nil
        edit.size = edit.size ?? TargetSize(width: 320, fit: .scaleDown)
        if case .bytes(let count)? = rendition.output.limit { limit = "\(count)" }
        let thumbnail = [
            edit.identifier, "length=\((animation.length ?? .seconds(3)).nanoseconds)",
            "pieces=\(animation.pieces ?? 3)", "seam=\(animation.seam.rawValue)",
            "flat=\(keepsFlatArt ? "kept" : "scaled")",
        ].joined(separator: ",")
        let words = [
            "format=\(format?.rawValue ?? "by-name")", thumbnail,
            "plays=\(JobKey.plays(animation.looping))",
            JobKey.encoding(rendition.output.encoding), "max-bytes=\(limit)",
        ]
        return line(words, reading)
    }

    /// The line of a conversion of version 0.1.0.
    static func conversion(
        format: String, _ rendition: Rendition, _ conversion: Rendition.Conversion,
        _ edit: ClipEdit, _ reading: Reading
    ) -> String {
        let words =
            [
                "convert", format, edit.identifier, JobKey.encoding(rendition.output.encoding),
                "loop=\(conversion.looping.map(JobKey.plays) ?? "source")",
                "undither=\(conversion.undithering.rawValue)",
                conversion.isStill ? "still" : "all",
                rendition.output.limit == nil ? "any" : "smaller",
            ] + (conversion.sound == .copy(.standard) ? ["sound"] : [])
        return line(words, reading)
    }

    /// The line of a sheet of version 0.1.0.
    static func sheet(
        format: String, _ rendition: Rendition, _ sheet: Rendition.Sheet, _ asked: ClipEdit,
        _ prefix: String, isTrickplay: Bool, _ reading: Reading
    ) -> String {
        var edit = asked
        edit.size = edit.size ?? TargetSize(width: 160)
        let layout =
            [
                "interval=\(sheet.interval.map { String($0.microseconds) } ?? "auto")",
                "count=\(sheet.count.map(String.init) ?? "auto")", "columns=\(sheet.columns)",
                "rows=\(sheet.rows.map(String.init) ?? "auto")", "gap=\(sheet.gap)",
                "background=\(sheet.background?.description ?? "-")",
                "precision=\(sheet.precision.rawValue)",
            ].joined(separator: " ") + (sheet.stampsTime ? " stamp" : "")
            + (sheet.fillsPages ? " full" : "")
        let words =
            [
                "sheet", format, edit.identifier, layout,
                JobKey.encoding(rendition.output.encoding),
                "vtt=\(sheet.indexes.contains(.vtt))", "json=\(sheet.indexes.contains(.json))",
                "prefix=\(prefix)",
            ] + (sheet.hasHeading ? ["header"] : []) + (isTrickplay ? ["trickplay"] : [])
        return line(words, reading)
    }

    /// The line of a changed loop of version 0.1.0.
    static func loop(_ change: TimingChange?) -> String {
        guard let change else { return "loop\n0.1.0" }
        let delays =
            switch change.delays {
            case .each(let length): "each/\(length.microseconds)"
            case .speed(let factor): "speed/\(factor)"
            case nil: "source"
            }
        return "loop plays=\(JobKey.plays(change.plays)) delays=\(delays)\n0.1.0"
    }

    private static func line(_ words: [String], _ reading: Reading) -> String {
        (words + JobKey.rendering(reading)).joined(separator: " ") + "\n0.1.0"
    }

    private static func text(_ choice: PosterChoice) -> String {
        switch choice {
        case .first: "first"
        case .at(let time): "at(\(time))"
        case .percent(let share): "percent(\(share))"
        case .index(let number): "index(\(number))"
        case .chapter(let number): "chapter(\(number))"
        case .embedded: "embedded"
        case .auto: "auto"
        case .within(let part): "within(Range(\(part.lowerBound)..<\(part.upperBound)))"
        }
    }
}
