internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// Makes frames of an input, in a folder or on standard output.
struct FrameWriting: Sendable {
    /// What is asked for; files of overlays are named.
    var rendition: Rendition
    /// The edit with their contents.
    var edit: ClipEdit
    let reading: Reading
    var threads: Int
    var overwrite: OverwritePolicy

    /// Which frames.
    var frames: Rendition.Frames {
        if case .frames(let frames) = rendition.kind { frames } else { .init() }
    }

    /// The format of pictures or of the list.
    var format: FrameFormat? {
        guard !frames.isListing else {
            return frames.indexes.contains(.framehash) ? .framehash : .null
        }
        return FrameFormat.allCases.first { $0.pictures == rendition.output.type ?? .png }
    }

    /// Writes to a folder; throws for a list that the policy keeps before anything is decoded.
    func write(
        _ input: Input, to folder: OutputFolder, _ names: FrameNames,
        report: ReportStyle, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> (Rendition.Report, FrameFiles) {
        try refuseExisting(names, in: folder)
        let sinks = FrameFiles(folder, names, of: frames, overwrite)
        let made: Rendition.Report
        do throws(CommandFailure) {
            made = try await Interruption.cancelling { () async throws(CommandFailure) in
                try await make(input, into: sinks, { sinks.failure }, progress)
            }
        } catch {
            if error.status.isInterruption, !report.quiet, sinks.count > 0,
                let list = frames.indexes.first
            {
                Warnings.say(
                    [Self.unlisted(sinks.count, in: folder, names.list(list))], about: input,
                    asJSON: report.json)
            }
            throw error
        }
        sinks.removeEarlier()
        return (made, sinks)
    }

    /// Writes to standard output; `title` precedes a list.
    func write(
        _ input: Input, title: String?, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> Rendition.Report {
        let sinks = FrameStream(title: title)
        return try await make(input, into: sinks, { sinks.failure }, progress)
    }

    /// Writes to one file, which appears complete.
    func write(
        _ input: Input, toFile path: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> Rendition.Report {
        let target = OutputTarget(path: path)
        try target.refuseExisting(overwrite)
        let sinks = OutputSinks(PartNames(target), overwrite)
        let made = try await make(input, into: sinks, { sinks.failure }, progress)
        try sinks.keep(overwrite)
        return made
    }

    /// Throws for a list that exists and is kept.
    func refuseExisting(_ names: FrameNames, in folder: OutputFolder) throws(CommandFailure) {
        guard overwrite == .never else { return }
        for name in frames.indexes.map(names.list) where folder.contains(name) {
            throw CommandFailure(writing: folder.path(of: name), .exists)
        }
    }

    private func make(
        _ input: Input, into sinks: any Rendition.Sinks,
        _ problem: @escaping @Sendable () -> CommandFailure?,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> Rendition.Report {
        var wanted = rendition
        wanted.edit = edit
        let opened = try await input.open(reading, for: wanted.wanted)
        var source = Rendition.Source(
            opened.frames, name: input.address.name, byteCount: opened.byteCount,
            isLocal: input.isFile)
        source.label = input.label
        do throws(MediaError) {
            var made = try await wanted.make(
                of: source, into: sinks, encoders: .pictures, threads: threads, progress: progress)
            made.rendition = rendition
            return made
        } catch {
            throw problem() ?? input.failure(error)
        }
    }

    /// A warning about frames in a folder that no list has, because the work ended early.
    private static func unlisted(
        _ count: Int, in folder: OutputFolder, _ list: String
    ) -> MediaWarning {
        let frames = count == 1 ? "1 frame was" : "\(count) frames were"
        return MediaWarning(
            .note, "\(frames) written to \(folder.path) before the end, without \(list).")
    }
}
