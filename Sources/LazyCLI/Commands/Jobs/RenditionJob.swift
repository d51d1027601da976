internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

/// A job that makes a rendition of its input.
protocol RenditionJob: MediaJob {
    /// What is asked for: files of overlays are named, and the type may be that of the output's name.
    var rendition: Rendition { get }
    /// The edit with the contents of these files.
    var edit: ClipEdit { get }
    var reading: Reading { get }
    /// Whether the report says how a choice was made.
    var isExplained: Bool { get }
    /// What the encoders of a build make.
    static var encoders: EncoderRegistry { get }
    /// Words of the key beyond those of the rendition.
    var moreKey: [String] { get }

    /// The outputs for an input; throws for what they cannot be given.
    func names(for input: Input, isAlone: Bool) throws(CommandFailure) -> PartNames
    /// The failure for an error of making it.
    func failure(
        _ error: MediaError, _ input: Input, _ opened: OpenedInput, _ target: OutputTarget
    ) -> CommandFailure
    /// The report of what was made.
    func report(
        _ made: Rendition.Report, _ input: Input, _ target: OutputTarget,
        _ files: [(Rendition.Part, String)], _ opened: OpenedInput, isAlone: Bool
    ) -> JobReport
    /// The message about what was made.
    func text(_ made: Rendition.Report, _ input: Input, _ target: OutputTarget) -> String
    /// What is asked for on standard output, such as `--explain`.
    func answer(_ made: Rendition.Report) -> String
}

extension RenditionJob {
    static var encoders: EncoderRegistry { .standard }
    var moreKey: [String] { [] }
    var edit: ClipEdit { rendition.edit }

    var key: String {
        ([rendition.identifier] + moreKey + [reading.pictures.key].compactMap(\.self))
            .joined(separator: ";")
    }

    /// The identifier has a version of its own.
    var recordedKey: String { key }

    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        let names = try names(for: input, isAlone: isAlone)
        return parts(names.target).map { names.target(of: $0, pageCount: 1).label }
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        let names = try names(for: input, isAlone: isAlone)
        for part in parts(names.target) {
            try names.target(of: part, pageCount: 1).refuseExisting(overwrite)
        }
        let sinks = OutputSinks(names, overwrite)
        return try await make(
            wanted(as: names.target), of: input, to: names, sinks, isAlone: isAlone,
            progress: progress)
    }

    /// The parts whose names are known before anything is opened.
    private func parts(_ target: OutputTarget) -> [Rendition.Part] {
        guard case .sheet(let sheet) = wanted(as: target).kind else { return [.main] }
        return [.main] + sheet.indexes.map { .index($0) }
    }

    /// What is made for an output: the type is its own, and the files of overlays are read.
    func wanted(as target: OutputTarget) -> Rendition {
        var wanted = rendition
        wanted.edit = edit
        switch wanted.kind {
        case .poster: wanted.output.type = target.format.pictureType
        case .animation: wanted.output.type = target.format.type(isAnimation: true)
        case .conversion: wanted.output.type = target.format.type
        case .sheet(var sheet):
            wanted.output.type = target.format.type(isAnimation: false)
            // Nothing is beside a stream.
            if !target.isFile { sheet.indexes = [] }
            wanted.kind = .sheet(sheet)
        case .facts, .loop, .frames: break
        }
        return wanted
    }

    /// Makes it of an input.
    func make(
        _ wanted: Rendition, of input: Input, _ texts: [(key: String, value: String)] = [],
        to names: PartNames, _ sinks: OutputSinks, isAlone: Bool,
        progress: @escaping @Sendable (Double) -> Void, for original: Input? = nil
    ) async throws(CommandFailure) -> JobReport {
        let (opened, source) = try await open(input, wanted, texts)
        if wanted.maxByteCount(of: source) != nil { sinks.holdBack() }
        let made = try await make(
            wanted, source, opened, input, names.target, sinks, policy: overwrite,
            isAlone: isAlone, progress: progress)
        let files = sinks.files.map { ($0.part, $0.file.target.label) }
        return report(made, original ?? input, names.target, files, opened, isAlone: isAlone)
    }

    /// Makes it of an opened input, and keeps its parts.
    func make(
        _ wanted: Rendition, _ source: Rendition.Source, _ opened: OpenedInput, _ input: Input,
        _ target: OutputTarget, _ sinks: OutputSinks, policy: OverwritePolicy, isAlone: Bool,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> Rendition.Report {
        let decided = Locked(Rendition.Report?.none)
        var made = try await Interruption.withCleanup {
            () throws(CommandFailure) -> Rendition.Report in
            let report: Rendition.Report
            do throws(MediaError) {
                report = try await wanted.make(
                    of: source, into: sinks, encoders: Self.encoders,
                    threads: threads(isAlone: isAlone), progress: progress
                ) { report in decided.withLock { $0 = report } }
            } catch {
                var failure = sinks.failure ?? failure(error, input, opened, target)
                if isExplained, let report = decided.withLock({ $0 }) {
                    failure.answer = answer(to: input, isAlone: isAlone, report)
                }
                throw failure
            }
            try sinks.keep(policy)
            return report
        }
        made.warnings = made.warnings.map(\.namingOptions)
        made.rendition = rendition
        made.rendition.output.type = wanted.output.type
        return made
    }

    /// Opens as much of an input as a rendition needs.
    func open(
        _ input: Input, _ wanted: Rendition, _ texts: [(key: String, value: String)] = []
    ) async throws(CommandFailure) -> (OpenedInput, Rendition.Source) {
        let opened = try await input.open(reading, for: wanted.wanted)
        var source = Rendition.Source(
            opened.frames, name: input.address.name, byteCount: opened.byteCount,
            isLocal: input.isFile)
        (source.label, source.fileName) = (input.label, input.address.fileName)
        source.bytes = opened.bytes
        source.rewriter = reading.rewriter(of: opened.frames.info.type, for: input)
        source.texts = texts
        return (opened, source)
    }

    func report(
        _ made: Rendition.Report, _ input: Input, _ target: OutputTarget,
        _ files: [(Rendition.Part, String)], _ opened: OpenedInput, isAlone: Bool
    ) -> JobReport {
        plainReport(made, input, target, files, opened, isAlone: isAlone)
    }

    func plainReport(
        _ made: Rendition.Report, _ input: Input, _ target: OutputTarget,
        _ files: [(Rendition.Part, String)], _ opened: OpenedInput, isAlone: Bool
    ) -> JobReport {
        let answer = isExplained ? answer(to: input, isAlone: isAlone, made) : ""
        return JobReport(
            outputs: files.map(\.1), byteCount: made.byteCount, frameCount: made.frameCount ?? 0,
            json: made.value(
                input: input.label, files: Dictionary(files) { first, _ in first },
                transfer: opened.transfer.map(Reports.transfer), isExplained: isExplained),
            text: text(made, input, target), warnings: made.warnings, answer: answer)
    }

    /// The explanation, which names its input among several.
    private func answer(to input: Input, isAlone: Bool, _ made: Rendition.Report) -> String {
        (isAlone ? "" : input.label + "\n") + answer(made)
    }

    func failure(
        _ error: MediaError, _ input: Input, _ opened: OpenedInput, _ target: OutputTarget
    ) -> CommandFailure { input.failure(error) }

    func answer(_ made: Rendition.Report) -> String { "" }
}
