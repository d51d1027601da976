internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

/// `frames`, and `make` of frames: a folder for each input.
struct FramesJob: MediaJob {
    static let name = "frames"

    /// The folder of the frames, or for several inputs that of their folders; also a pattern of names in it, or `-`.
    var output: String?
    /// What is made.
    var writing: FrameWriting
    /// The names of frames, if they are given.
    var pattern: NamePattern?
    /// The running number of the first one.
    var startNumber = 0

    var overwrite: OverwritePolicy {
        get { writing.overwrite }
        set { writing.overwrite = newValue }
    }
    var key: String {
        [
            writing.rendition.identifier, writing.reading.pictures.key,
            pattern.map { "names=\($0.key)" }, startNumber > 0 ? "first=\(startNumber)" : nil,
        ].compactMap(\.self).joined(separator: ";")
    }
    /// The identifier has a version of its own.
    var recordedKey: String { key }
    var threads: Int { writing.threads }

    /// Where the frames of an input go.
    private enum Place {
        case stream
        case file(String)
        case folder(OutputFolder, FrameNames)
    }

    private func place(for input: Input, isAlone: Bool) throws(CommandFailure) -> Place {
        let named = try FramePlace(output, nil)
        switch named.kind {
        case .stream:
            guard let pictures = writing.format, pictures.canFollow else {
                throw .usage("These frames cannot follow each other on standard output.")
            }
            if pictures.isBinary { try OutputTarget.refuseTerminal("Pictures") }
            return .stream
        case .file:
            guard isAlone, let path = named.path else {
                throw .usage("Several inputs need a folder.", hint: "Name a folder with -o.")
            }
            return .file(path)
        case .folder:
            if writing.format?.isStream == true {
                let folder = try folder(named, for: input, isAlone: isAlone, isOwn: false)
                return .file(folder.path(of: "\(input.address.name).y4m"))
            }
            let ending = writing.format?.rawValue ?? FrameFormat.png.rawValue
            var names = FrameNames(
                pattern ?? named.pattern ?? .usual(isSingle: true, ending), for: input)
            names.startNumber = startNumber
            return .folder(
                try folder(named, for: input, isAlone: isAlone, isOwn: true), names)
        }
    }

    /// The folder of an input's files; several have each their own, unless they are one file.
    private func folder(
        _ place: FramePlace, for input: Input, isAlone: Bool, isOwn: Bool
    ) throws(CommandFailure) -> OutputFolder {
        let name = input.address.name
        guard let path = place.path else {
            let folder: String? =
                if case .path(let path) = input.address { path.parentFolder } else { nil }
            guard isOwn else { return OutputFolder(folder ?? ".") }
            return OutputFolder(FilePath.joined(folder ?? ".", "\(name)-frames"))
        }
        if isAlone { return OutputFolder(path) }
        let subfolder = input.subfolder.map { FilePath.joined(path, $0) } ?? path
        return OutputFolder(isOwn ? FilePath.joined(subfolder, name) : subfolder)
    }

    /// The list of frames of an input stands for all of its files.
    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        switch try place(for: input, isAlone: isAlone) {
        case .stream: ["-"]
        case .file(let path): [path]
        case .folder(let folder, let names):
            [folder.path(of: names.list(writing.frames.indexes.first ?? .json))]
        }
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        var writing = writing
        writing.threads = threads(isAlone: isAlone)
        switch try place(for: input, isAlone: isAlone) {
        case .stream:
            let made = try await writing.write(input, title: nil, progress: progress)
            return report(made, json: made.value(input: input.label), ["-"], text: "")
        case .file(let path):
            let made = try await writing.write(input, toFile: path, progress: progress)
            let frames = made.frameCount == 1 ? "1 frame" : "\(made.frameCount ?? 0) frames"
            return report(
                made, json: made.value(input: input.label, files: [.main: path]), [path],
                text: "\(path): \(frames) of \(made.size)")
        case .folder(let folder, let names):
            let (made, files) = try await writing.write(
                input, to: folder, names, report: ReportStyle(quiet: true), progress: progress)
            return report(
                made, json: files.json(of: made, input), files.lists(of: made).map(\.1),
                text: files.text(of: made, input))
        }
    }

    private func report(
        _ made: Rendition.Report, json: JSONValue, _ outputs: [String], text: String
    ) -> JobReport {
        JobReport(
            outputs: outputs, byteCount: made.byteCount, frameCount: made.frameCount ?? 0,
            json: json, text: text, warnings: made.warnings)
    }
}
