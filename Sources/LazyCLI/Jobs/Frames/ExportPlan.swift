package import LazyEditing
package import LazyMedia

/// What the command line requests about writing frames.
package struct ExportPlan: Sendable {
    package enum Destination: Sendable {
        case standardOutput
        case folder(OutputFolder)

        /// Whether files are written.
        package var isFolder: Bool {
            if case .folder = self { true } else { false }
        }
    }
    package var format: FrameFormat
    package var destination: Destination
    package var selection: FrameSelection
    /// What is done to pictures; it keeps all frames.
    package var edit: ClipEdit
    package var target: TargetSize?
    package var pattern: NamePattern
    package var startNumber: Int
    package var overwrite: OverwritePolicy
    package var wantsHashes: Bool
    /// The quality of lossy formats.
    package var encoding: EncodingOptions
    package var jobs: Int
    /// Whether there are several inputs, so that outputs contain the input's name.
    package var hasSeveralInputs: Bool

    package init(
        format: FrameFormat, destination: Destination, selection: FrameSelection,
        edit: ClipEdit = ClipEdit(), target: TargetSize? = nil, pattern: NamePattern,
        startNumber: Int,
        overwrite: OverwritePolicy, wantsHashes: Bool,
        encoding: EncodingOptions = EncodingOptions(), jobs: Int, hasSeveralInputs: Bool
    ) {
        self.format = format
        self.destination = destination
        self.selection = selection
        self.edit = edit
        self.target = target
        self.pattern = pattern
        self.startNumber = startNumber
        self.overwrite = overwrite
        self.wantsHashes = wantsHashes
        self.encoding = encoding
        self.jobs = jobs
        self.hasSeveralInputs = hasSeveralInputs
    }

    /// The format of image files, if images are written.
    package var pictureFormat: PictureFormat? { PictureFormat(rawValue: format.rawValue) }

    /// The number of useful workers: without output, frames are only decoded.
    ///
    /// More workers than cores would only hold more frames.
    package var workers: Int { format == .null ? 1 : min(jobs, ExportThreads.pool.width) }

    /// The options of the reader.
    package func readerOptions(_ sequence: FrameSequence) -> ReaderOptions {
        var options = ReaderOptions(
            limits: sequence.limits, threads: min(jobs, ExportThreads.pool.width),
            keyframesOnly: selection.keyframesOnly,
            cancellation: Interruption.flag)
        options.lendsPixels = readsOnce
        return options
    }

    /// Whether every pixel is read once; a digest beside pixels would tell of others, and PNG reads rows again.
    private var readsOnce: Bool {
        switch format {
        case .raw, .ppm: !wantsHashes
        case .framehash, .null: true
        default: false
        }
    }

    /// The name of the manifest, or nil if none is written.
    package func manifestName(_ input: Input) -> String? {
        guard case .folder = destination, format != .null else { return nil }
        let base = format == .framehash ? "frames.framehash" : "frames.json"
        guard hasSeveralInputs else { return base }
        return pattern.tellsInputsApart(byName: false)
            ? "\(input.number)-\(input.address.name)-\(base)" : "\(input.address.name)-\(base)"
    }
}
