internal import LazyBase
internal import LazyKit
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

/// `loop`: changes the loop or delays of a file, or prints them.
struct LoopJob: RenditionJob {
    static let name = "loop"

    var output: String?
    /// The change, or nil to print the present state.
    let change: TimingChange?
    let isInPlace: Bool
    var overwrite: OverwritePolicy
    let reading: Reading
    let isExplained = false

    var rendition: Rendition { .loop(change ?? .init()) }
    var isRepeatable: Bool { change != nil && !isInPlace }
    var earlierKeys: [String] { [EarlierKeys.loop(change)] }

    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        guard change != nil else { return [] }
        return [try names(for: input, isAlone: isAlone).target.label]
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        guard change != nil else { return try await show(input) }
        let names = try names(for: input, isAlone: isAlone)
        if !isInPlace { try names.target.refuseExisting(overwrite) }
        let policy: OverwritePolicy = isInPlace ? .always : overwrite
        let sinks = OutputSinks(names, policy)
        if isInPlace { sinks.copyModes() }
        let (opened, source) = try await open(input, rendition)
        if !isInPlace { try check(names.target, keeps: opened.frames.info.type, of: input) }
        var made = try await make(
            rendition, source, opened, input, names.target, sinks, policy: policy,
            isAlone: isAlone, progress: progress)
        if change?.delays != nil, names.target.isFile {
            made.duration = try await length(of: names.target, input)
        }
        // A link is followed, and reported as given.
        var label = names.target.label
        if isInPlace, case .path(let path) = input.address { label = path }
        return plainReport(
            made, input, names.target, [(.main, label)], opened, isAlone: isAlone)
    }

    /// Throws `usage` for a new name with the extension of another format, since the bytes stay what they are.
    private func check(
        _ target: OutputTarget, keeps type: MediaType, of input: Input
    ) throws(CommandFailure) {
        guard type.rewriter != nil, target.isFile,
            let ending = FilePath.fileExtension(of: target.label)?.lowercased(),
            ending != input.address.fileExtension.lowercased(),
            !type.fileExtensions.contains(ending),
            MediaType.all.contains(where: { $0.fileExtensions.contains(ending) })
        else { return }
        throw .usage(
            "The file stays \(type.title), and \(target.label) names another format.",
            hint: "'lazyimg convert' writes another format.")
    }

    /// How long one play of a written file takes, by the delays of all its frames.
    private func length(
        of place: OutputTarget, _ input: Input
    ) async throws(CommandFailure) -> Duration {
        do throws(MediaError) {
            let written = try await BlockingPool.shared.run { () throws(MediaError) in
                try input.sequence(
                    FileBytes(name: place.label.systemPath, label: place.label), reading.trust)
            }
            return try await written.frameIndex().duration
        } catch {
            throw input.failure(error)
        }
    }

    /// The destination: the named output, or the input itself.
    func names(for input: Input, isAlone: Bool) throws(CommandFailure) -> PartNames {
        if isInPlace {
            guard case .path(let path) = input.address, let real = FileIdentity.realPath(path)
            else {
                let error = SystemError.last
                if case .path(let path) = input.address, FileKind(path) == .file {
                    throw CommandFailure(writing: input.label, error)
                }
                throw CommandFailure.usage(
                    "\(input.label) is not a file that can be changed.",
                    hint: "Name another file with -o."
                ).about(input.label)
            }
            return PartNames(OutputTarget(path: real))
        }
        guard let output, output != "-" else {
            try OutputTarget.refuseTerminal("Pictures")
            return PartNames(.standardOutput)
        }
        let ending = input.address.fileExtension
        let place = OutputTarget(
            path: try OutputTarget.completed(
                output, for: input, extension: ending.isEmpty ? "gif" : ending, isAlone: isAlone))
        try place.refuseInput(input)
        return PartNames(place)
    }

    func failure(
        _ error: MediaError, _ input: Input, _ opened: OpenedInput, _ target: OutputTarget
    ) -> CommandFailure {
        let type = opened.frames.info.type
        guard error.code == .notWritable, type.rewriter == nil else { return input.failure(error) }
        let titles = OutputFormat.titles { $0.type?.rewriter != nil }
        let hint = "\(titles) animations have a loop"
        return CommandFailure(
            .badData, error.code.rawValue, error.message,
            hint: type.family == .video
                ? "\(hint); 'lazyimg convert' makes one of a video." : "\(hint)."
        ).about(input.label)
    }

    func text(_ made: Rendition.Report, _ input: Input, _ target: OutputTarget) -> String {
        guard case .loop(let before) = made.details, let loop = made.loop else { return "" }
        var label = target.label
        if isInPlace, case .path(let path) = input.address { label = path }
        let length = change?.delays == nil ? nil : made.duration
        let time = length.map { ", \(Duration.microseconds($0.microseconds).inSeconds) long" } ?? ""
        let was =
            loop.plays == before.plays ? "" : " (plays \(Reports.plays(before.plays)) before)"
        return "\(label): plays \(Reports.plays(loop.plays))\(was)\(time)"
    }

    /// The report of the present state.
    private func show(_ input: Input) async throws(CommandFailure) -> JobReport {
        let info = try await input.open(reading, part: .bytes).frames.info
        let members: [(String, JSONValue)] = [
            ("input", .name(input.label)), ("type", .string(info.type.name)),
            ("loop", LoopCount?(info.loop).value), ("frameCount", .integer(info.frameCount)),
            ("durationUs", .integer(info.duration?.microseconds)),
        ]
        let loop = info.isSong ? "has no loop" : "plays \(Reports.plays(info))"
        return JobReport(
            outputs: [], byteCount: 0, frameCount: info.frameCount ?? 0, json: .object(members),
            text: "", warnings: info.warnings,
            answer: "\(input.label): \(info.type.name), \(loop)\n")
    }
}
