internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

/// Writes frames to the files of a folder, each of which appears complete, and lists them.
final class FrameFiles: Rendition.Sinks {
    private struct State {
        var names: [String] = []
        var last: (position: Int, name: String)?
        var earlier: EarlierFrames?
        var claim: FolderClaim?
        var failure: CommandFailure?
    }

    let folder: OutputFolder
    private let names: FrameNames
    /// Whether there is a list with the names of the files, which says what an earlier run wrote.
    private let listsFiles: Bool
    private let overwrite: OverwritePolicy
    private let state = Locked(State())

    init(
        _ folder: OutputFolder, _ names: FrameNames, of frames: Rendition.Frames,
        _ overwrite: OverwritePolicy
    ) {
        self.folder = folder
        listsFiles = !frames.isListing && frames.indexes.contains(.json)
        self.names = names
        self.overwrite = overwrite
    }

    /// Creates the folder.
    ///
    /// Of several processes that begin in an empty one, one writes its first frame before the others look whether
    /// there is one.
    func willMake(_ parts: [Rendition.Part], as type: MediaType) throws(MediaError) {
        try reporting { () throws(CommandFailure) in
            try folder.create()
            switch overwrite {
            case .always:
                guard listsFiles else { return }
                let earlier = EarlierFrames(in: folder, manifest: names.list(.json))
                state.withLock { $0.earlier = earlier }
            case .never:
                // Waits in any case: later frames of another process may be there before its first one.
                let claim = folder.claim()
                guard folder.isEmpty else { return }
                state.withLock { $0.claim = claim }
            }
        }
    }

    func name(of part: Rendition.Part, in index: Rendition.Index) -> String { name(of: part) }

    private func name(of part: Rendition.Part) -> String {
        switch part {
        case .frame(let frame): names.frame(frame)
        case .index(let index): names.list(index)
        case .main, .page: part.description
        }
    }

    func open(
        _ part: Rendition.Part, as type: MediaType
    ) throws(MediaError) -> any Rendition.Sink {
        try reporting { () throws(CommandFailure) in
            let name = name(of: part)
            do throws(SystemError) {
                return File(try NewFile(in: folder.path), name, part, self)
            } catch {
                throw CommandFailure(writing: folder.path(of: name), error)
            }
        }
    }

    private func reporting<Value>(
        _ work: () throws(CommandFailure) -> Value
    ) throws(MediaError) -> Value {
        do throws(CommandFailure) { return try work() } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            throw MediaError(.environment, error.message, underlying: error)
        }
    }

    /// What was wrong with an output.
    var failure: CommandFailure? { state.withLock { $0.failure } }

    /// The number of frames that were written.
    var count: Int { state.withLock { $0.names.count } }

    /// The path of the last frame.
    var last: String? { state.withLock { $0.last?.name }.map(folder.path(of:)) }

    /// The paths of the lists of what was made.
    func lists(of report: Rendition.Report) -> [(Rendition.Part, String)] {
        report.parts.map { ($0.part, folder.path(of: name(of: $0.part))) }
    }

    /// Removes frames of an earlier run that were not written again.
    func removeEarlier() {
        let (earlier, names) = state.withLock { ($0.earlier, $0.names) }
        earlier?.remove(but: names)
    }

    private func finish(_ file: File) throws(MediaError) {
        try reporting { () throws(CommandFailure) in
            do throws(SystemError) {
                try file.file.publish(as: file.name, replacing: overwrite == .always)
            } catch {
                throw CommandFailure(writing: folder.path(of: file.name), error)
            }
        }
        guard case .frame(let frame) = file.part else { return }
        // Closed outside the lock.
        let claim = state.withLock { state -> FolderClaim? in
            state.names.append(file.name)
            if frame.position >= state.last?.position ?? 0 {
                state.last = (frame.position, file.name)
            }
            defer { state.claim = nil }
            return state.claim
        }
        withExtendedLifetime(claim) {}
    }

    /// Unchecked: one thread at a time writes it.
    private final class File: Rendition.Sink, @unchecked Sendable {
        let file: NewFile
        let name: String
        let part: Rendition.Part
        private let files: FrameFiles

        init(_ file: NewFile, _ name: String, _ part: Rendition.Part, _ files: FrameFiles) {
            (self.file, self.name, self.part, self.files) = (file, name, part, files)
        }

        func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
            try files.reporting { () throws(CommandFailure) in
                do throws(SystemError) { try file.write(bytes) } catch {
                    throw CommandFailure(writing: files.folder.path(of: name), error)
                }
            }
        }

        func finish() throws(MediaError) { try files.finish(self) }
    }
}

/// Writes frames to standard output, one after the other.
final class FrameStream: Rendition.Sinks, Rendition.Sink {
    /// What precedes the list of an input, where there are several.
    private let title: String?
    private let problem = Locked<CommandFailure?>(nil)

    init(title: String?) { self.title = title }

    let isSequential = true

    func open(
        _ part: Rendition.Part, as type: MediaType
    ) throws(MediaError) -> any Rendition.Sink {
        if let title, part == .index(.framehash) {
            try reporting { () throws(CommandFailure) in try Console.tell("# input: \(title)\n") }
        }
        return self
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        try reporting { () throws(CommandFailure) in try Console.print(bytes) }
    }

    func finish() {}

    private func reporting(_ work: () throws(CommandFailure) -> Void) throws(MediaError) {
        do throws(CommandFailure) { try work() } catch {
            problem.withLock { $0 = $0 ?? error }
            throw MediaError(.environment, error.message, underlying: error)
        }
    }

    /// What was wrong with standard output.
    var failure: CommandFailure? { problem.withLock { $0 } }
}
