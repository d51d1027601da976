internal import LazyKit
package import LazyMedia

/// Where one finished media file goes, and in which format.
///
/// Settled before anything is decoded, from `-o`, `--format` or the name of the input.
package struct MediaOutput: Sendable {
    /// What a command writes, as far as it decides where that goes.
    package struct Rules: Sendable {
        /// What is made, for sentences, such as `poster`.
        package var thing: String
        /// The formats it can be made in.
        package var formats: [OutputFormat]
        /// The format where neither a name nor an option says one.
        package var usual: OutputFormat
        /// What stands behind the input's name where the output is named after it.
        package var suffix = ""

        package init(
            thing: String, formats: [OutputFormat], usual: OutputFormat?, suffix: String = ""
        ) {
            self.thing = thing
            self.formats = formats
            self.usual = usual ?? .png
            self.suffix = suffix
        }
    }

    /// The place.
    package let place: OutputPlace
    /// The format.
    package let format: OutputFormat

    /// Settles place and format.
    ///
    /// Without `output` the place is beside the input, under its name; of several inputs, or where
    /// it ends in a slash, the output is a folder, which is made where it is missing. Throws
    /// `usage` for an ending that is no format of these, for a terminal, and where the output would
    /// be the input.
    package init(
        _ output: String?, for input: Input, format: OutputFormat?, _ rules: Rules,
        isAlone: Bool = true
    ) throws(CommandFailure) {
        if let format, !rules.formats.contains(format) {
            throw .usage(
                "A \(rules.thing) is not written as \(format.rawValue).",
                hint: "The formats are \(rules.formats.map(\.rawValue).joined(separator: ", ")).")
        }
        let usual = format ?? rules.usual
        if output == "-" {
            try OutputPlace.refuseTerminal("Pictures")
            place = .standardOutput
            self.format = usual
            return
        }
        let path: String
        if let output {
            path = try OutputPlace.completed(
                output, for: input, adding: rules.suffix, ending: usual.rawValue, isAlone: isAlone)
        } else {
            path = try OutputPlace.beside(
                input, adding: rules.suffix, ending: usual.rawValue, rules.thing)
        }
        place = OutputPlace(path: path)
        if let format {
            self.format = format
        } else if case .device = place {
            self.format = usual
        } else {
            self.format = try Self.format(of: path, rules)
        }
        try place.refuseInput(input)
    }

    /// A second file beside this one, such as a table of contents: the same name, another ending.
    package init(beside other: MediaOutput, suffix: String = "", ending: String) {
        format = other.format
        guard case .file(let folder, let name) = other.place else {
            place = other.place
            return
        }
        let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap {
            $0 > name.startIndex ? $0 : nil
        }
        let stem = dot.map { name[..<$0] } ?? name[...]
        place = .file(folder: folder, name: "\(stem)\(suffix).\(ending)")
    }

    /// Whether it goes to standard output.
    package var isStandardOutput: Bool { place == .standardOutput }

    /// The path, or `-`.
    package var label: String { place.label }

    /// Throws if the file is there and may not be replaced: before decoding rather than after it.
    package func refuseExisting(_ policy: OverwritePolicy) throws(CommandFailure) {
        try place.refuseExisting(policy)
    }

    /// Writes a file as its bytes come; it appears, whole, when the work has ended well.
    ///
    /// Errors of the work are told of the input, those of the writing of the output.
    package func write<Result>(
        _ policy: OverwritePolicy, of input: Input,
        _ work: (OutputSink) async throws(MediaError) -> Result
    ) async throws(CommandFailure) -> Result {
        let sink = try OutputSink(place)
        let result: Result
        do throws(MediaError) {
            result = try await work(sink)
        } catch {
            throw sink.failure ?? input.failure(error)
        }
        try sink.keep(policy)
        return result
    }

    private static func format(
        of path: String, _ rules: Rules
    ) throws(CommandFailure) -> OutputFormat {
        let ending = OutputPlace.ending(of: path)
        let named = ending.flatMap { OutputFormat($0) }
        if let named, rules.formats.contains(named) { return named }
        let hint =
            "End it in \(OutputFormat.endings(rules.formats)), or name the format with --format."
        guard let ending else {
            throw .usage("The name \(path) does not tell the format.", hint: hint)
        }
        throw .usage(
            named == nil
                ? "A file that ends in .\(ending) cannot be written."
                : "A \(rules.thing) is not written as .\(ending).", hint: hint)
    }
}

extension MediaOutput {
    /// Throws `usage` for options of encoding that this format does not have, before any work.
    package func refuse(_ options: EncodingOptions) throws(CommandFailure) {
        let usual = EncodingOptions()
        let needsPalette =
            options.colors != usual.colors || options.dither != usual.dither
            || options.palettes != usual.palettes
        if needsPalette, !format.hasPalette {
            throw .usage(
                "--colors, --dither and --palettes are for \(OutputFormat.titles(where: \.hasPalette)), and a \(format.rawValue) is to be written."
            )
        }
        if options.codec != nil, !format.isVideo {
            throw .usage(
                "--codec is for \(OutputFormat.titles(where: \.isVideo)), and a \(format.rawValue) is to be written."
            )
        }
        guard format.isVideo, let type = format.type else { return }
        do throws(MediaError) {
            _ = try EncoderRegistry.standard.encoder(for: type, options)
        } catch  where error.code == .notWritable {
            throw .usage(
                error.message, hint: "MP4 takes --codec h264 or av1, WebM vp9 or av1.")
        } catch {
            // A library that is missing is told when the work begins.
        }
    }
}

extension OutputFormat {
    fileprivate var hasPalette: Bool { traits?.fidelity == .palette }

    fileprivate var isVideo: Bool { type?.family == .video }
}
