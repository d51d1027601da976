internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

/// Writes the parts of a rendition to outputs, which appear when they are kept.
///
/// Each is opened when there are bytes for it, so that an error of the input is reported before one of the output.
final class OutputSinks: Rendition.Sinks {
    private struct State {
        var pageCount = 1
        var isHeldBack = false
        var copiesMode = false
        var files: [(part: Rendition.Part, file: OutputFile)] = []
        var failure: CommandFailure?
    }

    private let names: PartNames
    private let overwrite: OverwritePolicy
    private let state = Locked(State())

    init(_ names: PartNames, _ overwrite: OverwritePolicy) {
        self.names = names
        self.overwrite = overwrite
    }

    func willMake(_ parts: [Rendition.Part], as type: MediaType) throws(MediaError) {
        state.withLock { $0.pageCount = parts.count }
        try reporting { () throws(CommandFailure) in
            if parts.count > 1, names.target.isStandardOutput {
                throw .usage(
                    "\(parts.count) pages cannot go to standard output.",
                    hint: "Name a file with -o.")
            }
            for part in parts { try target(of: part).refuseExisting(overwrite) }
            try names.createFolder()
        }
    }

    func name(of part: Rendition.Part, in index: Rendition.Index) -> String {
        let label = target(of: part).label
        let name = label.pathParts.last.map(String.init) ?? label
        return index == .vtt ? names.prefix + name : name
    }

    func open(
        _ part: Rendition.Part, as type: MediaType
    ) throws(MediaError) -> any Rendition.Sink {
        try reporting { () throws(CommandFailure) in
            let (target, now) = (target(of: part), state.withLock { $0 })
            let file = try OutputFile(target, isHeldBack: now.isHeldBack)
            if now.copiesMode { try file.copyMode(of: target.label) }
            state.withLock { $0.files.append((part, file)) }
            return file
        }
    }

    /// Says that outputs may be discarded when all bytes are there.
    func holdBack() { state.withLock { $0.isHeldBack = true } }

    /// Says that outputs get the permissions of the files that they replace.
    func copyModes() { state.withLock { $0.copiesMode = true } }

    private func target(of part: Rendition.Part) -> OutputTarget {
        names.target(of: part, pageCount: state.withLock { $0.pageCount })
    }

    private func reporting<Value>(
        _ work: () throws(CommandFailure) -> Value
    ) throws(MediaError) -> Value {
        do throws(CommandFailure) { return try work() } catch {
            state.withLock { $0.failure = error }
            throw MediaError(.environment, error.message, underlying: error)
        }
    }

    /// Whether there were bytes for it, so that nothing was wrong with the input.
    var isOpened: Bool { state.withLock { !$0.files.isEmpty || $0.failure != nil } }

    /// What was wrong with an output; nil where the work has failed for another reason.
    var failure: CommandFailure? {
        state.withLock { state in state.failure ?? state.files.lazy.compactMap(\.file.failure).first
        }
    }

    /// The outputs by their parts, in the order in which they were opened.
    var files: [(part: Rendition.Part, file: OutputFile)] { state.withLock { $0.files } }

    /// Makes the outputs appear; throws for an existing file that the policy keeps.
    func keep(_ policy: OverwritePolicy) throws(CommandFailure) {
        for (_, file) in files { try file.keep(policy) }
    }
}

/// The outputs of the parts of a rendition.
struct PartNames: Sendable {
    /// The output of the main part.
    let target: OutputTarget
    /// How the files of a sheet are named.
    var trickplay: Trickplay?
    /// What precedes the names of pages in a WebVTT file.
    var prefix = ""

    init(_ target: OutputTarget, _ trickplay: Trickplay? = nil) {
        self.target = target
        self.trickplay = trickplay
    }

    /// The output of a part; pages are numbered where there are several.
    func target(of part: Rendition.Part, pageCount: Int) -> OutputTarget {
        switch part {
        // Frames have a folder of their own (FrameFiles).
        case .main, .frame: return target
        case .index(.chapters): return target.beside(extension: "chapters.vtt")
        case .index(let index): return target.beside(extension: index.rawValue)
        case .page(let page):
            if trickplay != nil {
                return OutputTarget(
                    path: "\(target.label.parentFolder)/\(page).jpg", format: target.format)
            }
            let width = max(2, String(pageCount).count)
            let ending = FilePath.fileExtension(of: target.label) ?? target.format.rawValue
            return target.beside(
                suffix: "-" + String(page + 1).padded(to: width), extension: ending)
        }
    }

    /// Creates the folder that only the files of one film are in.
    fileprivate func createFolder() throws(CommandFailure) {
        if trickplay != nil { try OutputFolder(target.label.parentFolder).create() }
    }
}

extension OutputFile: Rendition.Sink {
    /// Appends bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) { try write(Array(bytes)) }

    /// It appears when it is kept.
    func finish() {}
}
