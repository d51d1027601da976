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

extension ExportPlan {
    /// The number of frames estimated from the header, for the progress bar.
    package func expectedFrames(_ info: MediaInfo) -> Int? {
        var count = info.frameCount
        if let duration = info.duration, duration > .zero {
            let end = min(selection.part.end ?? duration, duration)
            let length = max(.zero, end - selection.part.start)
            if let rate = selection.rate {
                count = Int(saturating: length / .seconds(1) * rate.doubleValue)
            } else {
                count = count.map { Int(saturating: Double($0) * (length / duration)) }
            }
        }
        if selection.keyframesOnly { count = nil }
        count = count.map { max(1, $0 / selection.every) }
        guard let maximum = selection.maximum else { return count }
        return min(count ?? maximum, maximum)
    }

    /// Whether reading the times of all frames first pays, so that the others need not be decoded.
    ///
    /// It costs a hundredth of decoding them, in containers whose packets say when they are shown. Not for a small
    /// part, whose frames are decoded sooner.
    package func isSparse(_ info: MediaInfo) -> Bool {
        guard !selection.keyframesOnly, Self.timedTypes.contains(info.type),
            let duration = info.duration, duration > .zero
        else { return false }
        let seconds = duration / .seconds(1)
        let frames = info.frameCount.map(Double.init) ?? seconds * 25
        let selected =
            selection.rate.map { seconds * $0.doubleValue } ?? frames / Double(selection.every)
        guard selected < 0.75 * frames else { return false }
        let end = min(selection.part.end ?? duration, duration)
        var share = max(.zero, end - selection.part.start) / duration
        if let maximum = selection.maximum {
            share = min(share, Double(maximum) / max(1, selected))
        }
        return share > 0.05
    }

    private static let timedTypes: Set<MediaType> = [.mp4, .m4v, .mov, .webm, .matroska]
}
