internal import LazyEditing
internal import LazyMedia

/// The lines whose digests the journals of earlier versions hold for a job: they never change.
enum EarlierKeys {
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

    private static func text(_ choice: PosterChoice) -> String {
        switch choice {
        case .first: "first"
        case .at(let time): "at(\(time))"
        case .percent(let share): "percent(\(share))"
        case .index(let number): "index(\(number))"
        case .embedded: "embedded"
        case .auto: "auto"
        case .within(let part): "within(Range(\(part.lowerBound)..<\(part.upperBound)))"
        }
    }
}
