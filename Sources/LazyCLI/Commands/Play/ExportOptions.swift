internal import ArgumentParser
internal import LazyEditing
internal import LazyOptions
internal import LazyRenditions

/// The options that need `--frames`.
struct ExportOptions: ParsableArguments {
    @OptionGroup var frames: FrameOptions
    @OptionGroup var existing: OverwriteOptions

    /// Throws if one of the options is given.
    func refuse(_ reason: String) throws(CommandFailure) {
        if let (name, _) = frames.given.first(where: \.1) { throw .usage("\(name) \(reason).") }
    }

    /// What is made, and the names of its files; throws for contradictions.
    func frames(
        to folder: String, of inputs: [Input], range: RangeOptions, edit: ClipEdit,
        _ reading: Reading
    ) throws(CommandFailure) -> (FrameWriting, NamePattern) {
        let format = try frames.chosenFormat(frames.pattern)
        let isStream = folder == "-"
        if isStream {
            try frames.checkStream(format, named: "--frames")
        } else if format.isStream {
            throw .usage(
                "--format \(format.rawValue) writes no files of frames.",
                hint: "Use --frames - with it.")
        }
        let rendition = try frames.rendition(
            format, isListed: !isStream, range: range, edit: edit, reading)
        let writing = FrameWriting(
            rendition: rendition, edit: rendition.edit, reading: reading,
            threads: frames.jobs ?? 0, overwrite: existing.policy)
        return (writing, try pattern(for: format, inputs))
    }

    private func pattern(
        for format: FrameFormat, _ inputs: [Input]
    ) throws(CommandFailure) -> NamePattern {
        let isSingle = inputs.count == 1
        let pattern = frames.pattern ?? .usual(isSingle: isSingle, format.rawValue)
        try frames.check(pattern)
        let names = Set(inputs.map(\.address.name))
        guard isSingle || pattern.tellsInputsApart(byName: names.count == inputs.count) else {
            throw .usage(
                "Two inputs would write files of the same name.",
                hint: "Add {input} to --pattern.")
        }
        return pattern
    }
}
