internal import LazyBase
public import LazyEditing
public import LazyMedia

/// Many small pictures of a clip on a few large ones, for the previews of a player's timeline.
///
/// ```swift
/// let report = try await SpriteSheet().run(clip, encoders: .standard) { page, bytes in … }
/// let vtt = report.plan.webVTT(files: ["sheet.jpg"])
/// ```
///
/// Makes one pass over the clip for any number of tiles. Groups of pictures are decoded in parallel on
/// all cores, each only up to its last tile.
public struct SpriteSheet: Sendable {
    /// The layout.
    public var layout: SheetLayout
    /// What is done to the clip; the layout has the size of its pictures, and the gravity.
    public var edit = ClipEdit()
    /// The type of the pages, a still format.
    public var type: MediaType
    /// The options for encoding pages; the default quality is 75.
    public var options: EncodingOptions

    /// Makes a sheet.
    public init(
        _ layout: SheetLayout = SheetLayout(), as type: MediaType = .jpeg,
        options: EncodingOptions = .init()
    ) {
        self.layout = layout
        self.type = type
        self.options = options
    }

    /// What was made.
    public struct Report: Sendable {
        /// The layout of the tiles.
        public let plan: SheetPlan
        /// The timing of each frame of the clip.
        public let timings: FrameIndex
        /// Bytes written, page by page.
        public let byteCounts: [Int]
        /// Damage and oddities that were found.
        public let warnings: [MediaWarning]
    }

    /// Lays out the tiles; reads the packets of a video, decodes nothing.
    public func plan(
        for sequence: FrameSequence, encoders: EncoderRegistry
    ) async throws(MediaError) -> (plan: SheetPlan, timings: FrameIndex) {
        let (plan, timings, _) = try await prepared(sequence, encoders: encoders)
        return (plan, timings)
    }

    /// The tiles of a sheet before any is decoded.
    package typealias Prepared = (plan: SheetPlan, timings: FrameIndex, tiles: FrameSequence)

    /// Edits a sequence and lays out its tiles, to `run` them.
    package func prepared(
        _ sequence: FrameSequence, encoders: EncoderRegistry
    ) async throws(MediaError) -> Prepared {
        if let refusal = sequence.info.songRefusal { throw refusal }
        var edit = edit
        (edit.size, edit.gravity) = (layout.tile, layout.gravity)
        if let traits = encoders.traits(for: type) { edit = edit.surrounded(for: traits, options) }
        let tiles = try await sequence.edited(edit)
        let timings = try await tiles.frameIndex()
        guard timings.count > 0 else {
            throw MediaError(.notFound, "The sequence has no frame.")
        }
        guard let traits = encoders.traits(for: type), !traits.canAnimate else {
            throw MediaError(.notWritable, "A sprite sheet is not written as \(type.name).")
        }
        let plan = try SheetPlan(
            layout, timings: timings, tileSize: tiles.info.size, maxSide: traits.longestSide,
            showsFrames: sequence.info.type.family == .animation)
        return (plan, timings, tiles)
    }

    /// Makes the pages one after the other; only the current one is in memory.
    ///
    /// `write` receives pieces of bytes and the number of their page, from 0, in order. `progress`
    /// receives the fraction that is done, 0 to 1. `threads` of 0 means one per core. Cancelling the task
    /// stops the work soon. Throws `.notWritable` for an impossible layout, and the errors of decoding and of `write`.
    public func run(
        _ sequence: FrameSequence, encoders: EncoderRegistry, threads: Int = 0,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        to write: @escaping @Sendable (_ page: Int, _ bytes: [UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> Report {
        try await run(
            try await prepared(sequence, encoders: encoders), encoders: encoders, threads: threads,
            progress: progress, to: write)
    }

    /// Makes the pages of tiles that are prepared.
    package func run(
        _ prepared: Prepared, encoders: EncoderRegistry, threads: Int = 0,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        to write: @escaping @Sendable (_ page: Int, _ bytes: [UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> Report {
        let (plan, timings, tiles) = prepared
        let encoder = try StillEncoder(
            for: type, pageOptions, threads: threads, by: encoders)
        let hasAlpha = encoders.traits(for: type)?.alpha != FormatTraits.Alpha.none
        let readers = SheetReaders(
            tiles, runs: SheetReaders.Run.runs(of: plan.tiles, timings),
            isQuick: layout.precision != .exact, threads: threads)
        let done = Locked(0)
        var byteCounts: [Int] = []
        for page in plan.pages.indices {
            let bitmap = try await draw(page, plan, timings, readers, hasAlpha: hasAlpha) {
                let count = done.withLock { done in
                    done += 1
                    return done
                }
                progress(Double(count) / Double(plan.tiles.count))
            }
            byteCounts.append(
                try await BlockingPool.shared.working { () async throws(MediaError) in
                    try await encoder.encode(StillPicture(bitmap)) { (bytes) throws(MediaError) in
                        try write(page, Array(bytes))
                        return bytes.count
                    }
                })
        }
        return Report(
            plan: plan, timings: timings, byteCounts: byteCounts,
            warnings: Self.warnings(tiles.info.warnings, readers))
    }

    private var pageOptions: EncodingOptions {
        var options = options
        if options.quality == nil, options.lossless != true {
            options.quality = DefaultQuality.standard
        }
        return options
    }

    private static func warnings(
        _ known: [MediaWarning], _ readers: SheetReaders
    ) -> [MediaWarning] {
        var warnings = known + readers.warnings.filter { !known.contains($0) }
        let count = readers.lostCount
        if count > 0 {
            warnings.append(
                MediaWarning(
                    .corruptPackets,
                    "\(count) tiles show the picture before theirs, which could not be decoded."))
        }
        return warnings
    }

    private func draw(
        _ page: Int, _ plan: SheetPlan, _ timings: FrameIndex, _ readers: SheetReaders,
        hasAlpha: Bool, didRead: @escaping @Sendable () -> Void
    ) async throws(MediaError) -> Bitmap {
        let tiles = plan.tiles.filter { $0.page == page }
        let runs = SheetReaders.Run.runs(of: tiles, timings)
        let bitmaps = try await readers.read(runs, didRead: didRead).flatMap { $0 }
        var drawn: [(PixelRect, Bitmap)] = []
        for (tile, bitmap) in zip(tiles, bitmaps) {
            guard let bitmap else { continue }
            let timing = timings.timings[tile.frame]
            drawn.append(
                (tile.rect, layout.stampsTime ? try bitmap.stamped(timing) : bitmap))
        }
        guard !drawn.isEmpty else {
            throw MediaError(.malformed, "No frame of these tiles could be decoded.")
        }
        if page == 0, plan.headerHeight > 0 {
            let header = SheetHeader(layout.header, width: plan.pages[0].width)
            drawn.append(
                (
                    PixelRect(
                        x: 0, y: 0, width: plan.pages[0].width, height: plan.headerHeight),
                    try header.bitmap(
                        width: plan.pages[0].width, paper: layout.background ?? .white)
                ))
        }
        return try SheetPage.bitmap(
            plan.pages[page], drawn, background: layout.background ?? (hasAlpha ? nil : .white))
    }
}
