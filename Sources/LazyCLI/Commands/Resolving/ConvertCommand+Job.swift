internal import LazyBase
internal import LazyKit
internal import LazyMedia
internal import LazyPreviews

extension ConvertCommand {
    func job(_ inputs: [Input]) throws -> ConvertJob {
        guard destination.output != nil || destination.format != nil else { throw missingFormat }
        return ConvertJob(
            output: destination.output, format: destination.format,
            edit: try clip.edit(options.limits.limits.choice),
            options: encoding.options(), loop: encoding.loop, undithering: undither,
            sound: audio ?? (encoding.noAudio ? Conversion.Sound.none : nil), isStill: still,
            allowsLarger: allowLarger || options.existing.force,
            isExplained: explain,
            overwrite: options.existing.policy,
            reading: pictures.timing(
                decoding.rendering.rendering(try options.reading(inputs)), rate: clip.fps))
    }

    /// Neither an option nor a file name gives the format.
    private var missingFormat: CommandFailure {
        guard inputs.input.count == 2 else {
            return Self.missingFormat("Name one with --format, or a file with -o.")
        }
        let name = inputs.input[1]
        if FileKind(name) == .file {
            return Self.missingFormat(
                "\(name) exists already: to replace it, write -o before its name.")
        }
        guard let ending = FilePath.fileExtension(of: name) else {
            return Self.missingFormat("Name one with --format, or a file with -o.")
        }
        return .usage(
            "Files with the extension .\(ending) cannot be written.",
            hint:
                "Use the extension \(OutputFormat.endings(ConvertJob.formats)), or name the format with --format."
        )
    }

    private static func missingFormat(_ hint: String) -> CommandFailure {
        .usage("The output format is missing.", hint: hint)
    }
}
