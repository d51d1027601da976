internal import LazyBase
internal import LazyEditing
internal import LazyMedia

/// The work of writing frames.
final class FramesWork: Sendable {
    private struct State {
        var count = 0
        var byteCount = 0
        /// The first and the last one, whose times are reported.
        var first: Rendition.Frame?
        var last: Rendition.Frame?
        /// Whether a frame lost its transparency.
        var isFlattened = false
        /// The frames of the list in JSON.
        var entries: [FrameManifest.Entry] = []
        var failure: MediaError?
    }

    /// A frame that waits for the ones before it.
    fileprivate struct Item: Sendable {
        enum Picture: Sendable {
            case none
            /// RGBA8 rows, which are not copied.
            case pixels(Bitmap)
            case file([UInt8])
            /// A piece of the one stream of all frames.
            case piece([UInt8])
        }
        let frame: Rendition.Frame
        let picture: Picture
        let hash: String?
    }

    private let rendition: Rendition
    private let frames: Rendition.Frames
    private let selection: FrameSelection
    private let sequence: FrameSequence
    private let source: Rendition.Source
    private let sinks: any Rendition.Sinks
    private let tools: Rendition.Tools
    /// The type of pictures; nil where there are none.
    private let type: MediaType?
    private let threads: Int
    private let flag: CancellationFlag
    private let shared: SharedFrames
    private let state = Locked(State())
    /// Where parts follow each other.
    private let ordered: OrderedParts<Item>?
    private let list: WholePart?
    private let stream: WholePart?

    init(
        _ rendition: Rendition, _ frames: Rendition.Frames, _ selection: FrameSelection,
        _ sequence: FrameSequence, _ index: FrameIndex?, _ source: Rendition.Source,
        _ sinks: any Rendition.Sinks, _ tools: Rendition.Tools
    ) throws(MediaError) {
        (self.rendition, self.frames, self.selection) = (rendition, frames, selection)
        (self.sequence, self.source, self.sinks, self.tools) = (sequence, source, sinks, tools)
        type = frames.isListing ? nil : rendition.output.type ?? .png
        let most = BlockingPool.exports.width
        threads = tools.threads == 0 ? most : min(tools.threads, most)
        flag = CancellationFlag()
        let hashes = frames.hashesPixels || frames.indexes.contains(.framehash)
        var options = ReaderOptions(
            limits: sequence.limits, threads: threads, keyframesOnly: selection.keyframesOnly,
            cancellation: flag)
        // A digest beside pixels would read them twice, and PNG reads rows again.
        options.lendsPixels =
            type == nil || [.rawPixels, .pnm].contains(type) && !hashes
        shared = SharedFrames(
            try SelectedFrames(selection, index: index, limits: sequence.limits) {
                [options] () throws(MediaError) in try sequence.makeReader(options)
            })
        let list =
            frames.indexes.contains(.framehash)
            ? WholePart(.index(.framehash), as: .text, sinks) : nil
        let stream = type == .y4m ? WholePart(.main, as: .y4m, sinks) : nil
        (self.list, self.stream) = (list, stream)
        ordered =
            sinks.isSequential || list != nil || stream != nil
            ? OrderedParts { [sinks, type] (item) throws(MediaError) in
                if case .piece(let bytes) = item.picture {
                    try stream?.add(bytes)
                } else {
                    try item.write(to: sinks, as: type)
                }
                if let list, let hash = item.hash {
                    let header = item.frame.position == 0 ? FrameHash.header : ""
                    try list.add(Array((header + FrameHash.line(item.frame, hash)).utf8))
                }
            } : nil
    }

    /// Writes all frames, and the files that list them.
    func run() async throws(MediaError) -> Rendition.Report {
        let pool = BlockingPool.exports
        do throws(SystemError) { try pool.requireThread() } catch {
            throw MediaError(
                .environment, "The system cannot start a thread for frames: \(error).")
        }
        // A sink may wait for another process.
        try await pool.run { [sinks, type] () throws(MediaError) in
            try sinks.willMake([], as: type ?? .rawPixels)
        }
        await withTaskCancellationHandler {
            await Task(executorPreference: pool) { await self.work(most: 1) }.value
            await withTaskGroup { group in
                for _ in 0..<workers {
                    group.addTask(executorPreference: pool) { await self.work() }
                }
            }
        } onCancel: {
            flag.cancel()
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return try report()
    }

    /// Whether pictures have no transparency.
    private var isOpaqueType: Bool { type.map(tools.encoders.isOpaque) == true }

    /// Without pictures, frames are only decoded; more workers than cores would only hold more frames.
    private var workers: Int { type == nil && list == nil ? 1 : threads }

    private func report() throws(MediaError) -> Rendition.Report {
        let made = state.withLock { $0 }
        guard let first = made.first, let last = made.last else {
            throw MediaError(.notFound, "The requested range contains no frame.")
        }
        let losses = [lostTimes(made.count, [first, last]), alphaLoss(made.isFlattened)]
        let warnings = sequence.info.warnings + shared.warnings + losses.compactMap(\.self)
        var parts: [Rendition.Report.Made] = []
        for part in [stream, list] { if let part { parts.append(try part.finish()) } }
        if frames.indexes.contains(.json) {
            let manifest = FrameManifest(
                source: source.label ?? source.name, info: sequence.info, warnings: warnings,
                entries: made.entries.sorted { $0.frame.position < $1.frame.position })
            let text = FileName.bytes(manifest.value.text)
            let sink = try sinks.open(.index(.json), as: .json)
            try sink.write(text)
            try sink.finish()
            parts.append(.init(part: .index(.json), type: .json, byteCount: text.count))
        }
        var report = Rendition.Report(
            rendition, parts: parts, size: first.size, frameCount: made.count,
            details: .frames(.init(type: type, byteCount: made.byteCount)), warnings: warnings)
        report.duration = [first, last].span?.duration
        report.loop = sequence.info.loop
        return report
    }

    /// What is said of frames that are not shown for equal times, in a stream of one rate.
    private func lostTimes(_ count: Int, _ ends: [Rendition.Frame]) -> MediaWarning? {
        guard type == .y4m, let first = ends.first, let span = ends.span?.duration else {
            return nil
        }
        let rate = frames.streamRate(first.timing)
        let length = Duration.seconds(1) / rate.doubleValue * count
        let step = max(Duration.milliseconds(20), span * 0.01)
        guard frames.rate == nil, length - span > step || span - length > step else { return nil }
        return MediaWarning(
            .timesLost,
            "Y4M has one rate: these frames last \(span.inSeconds) in the source, and play in \(length.inSeconds); a rate (--fps) keeps their times."
        )
    }

    private func alphaLoss(_ isFlattened: Bool) -> MediaWarning? {
        guard isFlattened, let type else { return nil }
        return .flattened(type, over: rendition.output.encoding.background)
    }

    private func work(most: Int = .max) async {
        do throws(MediaError) {
            let encoder = try makeEncoder()
            var count = 0
            while count < most, let frame = try next() {
                count += 1
                try await write(frame, encoder)
            }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    private func next() throws(MediaError) -> SelectedFrame? {
        guard state.withLock({ $0.failure == nil }) else { return nil }
        try flag.check()
        return try shared.next()
    }

    private func makeEncoder() throws(MediaError) -> StillEncoder? {
        guard let type, type != .y4m else { return nil }
        var options = rendition.output.options(as: type, by: tools.encoders)
        // Many files: quickly.
        if type == .png, options.effort == nil { options.effort = 0 }
        return try StillEncoder(for: type, options, by: tools.encoders)
    }

    private func write(
        _ selected: SelectedFrame, _ encoder: StillEncoder?
    ) async throws(MediaError) {
        let bitmap = selected.bitmap
        let frame = Rendition.Frame(
            position: selected.position, sourceIndex: selected.sourceIndex,
            timing: selected.timing, size: bitmap.size)
        let hash = frames.hashesPixels || list != nil ? PixelDigest.hex(bitmap) : nil
        let picture = StillPicture(
            bitmap, deep: selected.deep, depth: sequence.info.bitDepth, color: selected.color)
        var byteCount = 0
        if let ordered {
            var item = Item(frame: frame, picture: .none, hash: hash)
            if type == .y4m {
                // Its bytes are those of the stream.
                item = Item(frame: frame, picture: .piece(try piece(bitmap, frame)), hash: hash)
            } else if type == .rawPixels {
                item = Item(frame: frame, picture: .pixels(bitmap), hash: hash)
                byteCount = bitmap.size.pixelCount * 4
            } else if let encoder {
                let file = try await encoder.encode(picture) { bytes in Array(bytes) }
                item = Item(frame: frame, picture: .file(file), hash: hash)
                byteCount = file.count
            }
            try ordered.deliver(item, at: frame.position)
        } else if let encoder, let type {
            byteCount = try await encoder.encode(picture) { (bytes) throws(MediaError) in
                try sinks.write(bytes, as: frame, type)
                return bytes.count
            }
        }
        if isOpaqueType, !bitmap.isOpaqueThroughout { state.withLock { $0.isFlattened = true } }
        note(frame, hash, byteCount)
        tools.progress(selection.share(doneWith: frame, of: sequence.info))
    }

    /// A frame of the one stream, after its header where it is the first.
    private func piece(
        _ bitmap: Bitmap, _ frame: Rendition.Frame
    ) throws(MediaError) -> [UInt8] {
        let stream = Y4MFrame(
            sequence.info.size, background: rendition.output.encoding.background)
        let bytes = try stream.bytes(bitmap)
        guard frame.position == 0 else { return bytes }
        return Array(stream.header(frames.streamRate(frame.timing)).utf8) + bytes
    }

    private func note(_ frame: Rendition.Frame, _ hash: String?, _ byteCount: Int) {
        let file =
            frames.indexes.contains(.json) && type != nil
            ? sinks.name(of: .frame(frame), in: .json) : nil
        state.withLock { state in
            state.count += 1
            state.byteCount += byteCount
            if frame.position == 0 { state.first = frame }
            if frame.position >= state.last?.position ?? 0 { state.last = frame }
            guard frames.indexes.contains(.json) else { return }
            state.entries.append(
                .init(frame: frame, file: file, hash: frames.hashesPixels ? hash : nil))
        }
    }
}

extension FramesWork.Item {
    /// Writes its picture, if it has one.
    fileprivate func write(
        to sinks: any Rendition.Sinks, as type: MediaType?
    ) throws(MediaError) {
        guard let type else { return }
        switch picture {
        case .none, .piece: break
        case .pixels(let bitmap):
            try bitmap.withBytes { (bytes) throws(MediaError) in
                try sinks.write(bytes, as: frame, type)
            }
        case .file(let bytes):
            try bytes.withBytes { (bytes) throws(MediaError) in
                try sinks.write(bytes, as: frame, type)
            }
        }
    }
}

extension Rendition.Sinks {
    /// Writes the whole file of a frame.
    fileprivate func write(
        _ bytes: UnsafeRawBufferPointer, as frame: Rendition.Frame, _ type: MediaType
    ) throws(MediaError) {
        let sink = try open(.frame(frame), as: type)
        try sink.write(bytes)
        try sink.finish()
    }
}

/// A part that all frames are in, opened with the first one and written from one thread at a time.
private final class WholePart: Sendable {
    private let part: Rendition.Part
    private let type: MediaType
    private let sinks: any Rendition.Sinks
    private let state = Locked<(sink: (any Rendition.Sink)?, byteCount: Int)>((nil, 0))

    init(_ part: Rendition.Part, as type: MediaType, _ sinks: any Rendition.Sinks) {
        (self.part, self.type, self.sinks) = (part, type, sinks)
    }

    /// Adds bytes.
    func add(_ bytes: [UInt8]) throws(MediaError) {
        let sink =
            if let begun = state.withLock({ $0.sink }) { begun } else {
                try sinks.open(part, as: type)
            }
        try sink.write(bytes)
        state.withLock { $0 = (sink, $0.byteCount + bytes.count) }
    }

    /// Ends it.
    func finish() throws(MediaError) -> Rendition.Report.Made {
        let (sink, byteCount) = state.withLock { $0 }
        try sink?.finish()
        return .init(part: part, type: type, byteCount: byteCount)
    }
}
