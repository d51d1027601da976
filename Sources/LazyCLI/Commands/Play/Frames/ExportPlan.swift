internal import LazyEditing
internal import LazyKit
internal import LazyMedia

/// What the command line requests about writing frames.
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
    /// What is done to pictures; it keeps all frames.
    var edit: ClipEdit = ClipEdit()
    var pattern: NamePattern
    var startNumber: Int
    var overwrite: OverwritePolicy
    var wantsHashes: Bool
    /// The quality of lossy formats.
    var encoding: EncodingOptions = EncodingOptions()
    var jobs: Int
    /// Whether there are several inputs, so that outputs contain the input's name.
    var hasSeveralInputs: Bool

    /// Makes an encoder for one worker; nil where no pictures are written.
    func makeEncoder(for input: Input) throws(CommandFailure) -> StillEncoder? {
        guard let type = OutputFormat(rawValue: format.rawValue)?.pictureType else { return nil }
        var options = encoding
        // Many files: quickly.
        if type == .png { options.effort = 0 }
        do throws(MediaError) {
            return try StillEncoder(for: type, options, by: .pictures)
        } catch {
            throw input.failure(error)
        }
    }

    /// The number of useful workers: without output, frames are only decoded.
    ///
    /// More workers than cores would only hold more frames.
    var workers: Int { format == .null ? 1 : min(jobs, BlockingPool.exports.width) }

    /// The options of the reader.
    func readerOptions(_ sequence: FrameSequence) -> ReaderOptions {
        var options = ReaderOptions(
            limits: sequence.limits, threads: min(jobs, BlockingPool.exports.width),
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
    func manifestName(_ input: Input) -> String? {
        guard case .folder = destination, format != .null else { return nil }
        let base = format == .framehash ? "frames.framehash" : "frames.json"
        guard hasSeveralInputs else { return base }
        return pattern.tellsInputsApart(byName: false)
            ? "\(input.number)-\(input.address.name)-\(base)" : "\(input.address.name)-\(base)"
    }
}

extension ExportPlan {
    /// The number of frames estimated from the header, for the progress bar.
    func expectedFrames(_ info: MediaInfo) -> Int? {
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
    func isSparse(_ info: MediaInfo) -> Bool {
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
