internal import LazyMedia

/// All that the command line says about writing frames.
struct ExportPlan: Sendable {
    enum Destination: Sendable {
        case standardOutput
        case folder(OutputFolder)

        /// Whether files are written.
        var isFolder: Bool {
            if case .folder = self { true } else { false }
        }
    }
    var format: FrameFormat
    var destination: Destination
    var selection: FrameSelection
    var target: TargetSize?
    var pattern: NamePattern
    var startNumber: Int
    var overwrite: OverwritePolicy
    var wantsHashes: Bool
    var jobs: Int
    /// Whether outputs carry the input's name, as they must where there are several.
    var hasSeveralInputs: Bool

    /// The kind of picture files, where pictures are written.
    var pictureFormat: PictureFormat? { PictureFormat(rawValue: format.rawValue) }

    /// How many workers are of use: what goes nowhere is only decoded.
    ///
    /// More than there are cores only hold more frames.
    var workers: Int { format == .null ? 1 : min(jobs, FrameExport.pool.width) }

    /// How the reader is to read.
    func readerOptions(_ sequence: FrameSequence) -> ReaderOptions {
        ReaderOptions(
            size: target.map { $0.scaledSize(of: sequence.info.size) }, limits: sequence.limits,
            threads: min(jobs, FrameExport.pool.width), keyframesOnly: selection.keyframesOnly,
            cancellation: Interruption.flag)
    }

    /// The name of the file that says what was written, or nil where there is none.
    func manifestName(_ input: Input) -> String? {
        guard case .folder = destination, format != .null else { return nil }
        let base = format == .framehash ? "frames.framehash" : "frames.json"
        guard hasSeveralInputs else { return base }
        return pattern.tellsInputsApart(byName: false)
            ? "\(input.number)-\(input.address.name)-\(base)" : "\(input.address.name)-\(base)"
    }
}

/// What was written for one frame.
struct FrameRecord: Sendable {
    let frame: SelectedFrame.Place
    let size: PixelSize
    var file: String?
    var hash: String?
}

extension SelectedFrame {
    /// A frame without its pixels.
    struct Place: Sendable {
        let timing: FrameTiming
        let sourceIndex: Int
        let position: Int
    }
    var place: Place { Place(timing: timing, sourceIndex: sourceIndex, position: position) }
}
