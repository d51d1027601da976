internal import LazyBase
internal import LazyEditing
public import LazyMedia

extension Rendition {
    /// Makes a sprite sheet, page by page; only the current one is in memory.
    ///
    /// One pass over the clip for any number of tiles: groups of pictures are decoded in parallel on all cores, each
    /// only up to its last tile. Throws `.notWritable` for an impossible layout.
    func makeSheet(
        _ sheet: Sheet, of source: Source, to sinks: any Sinks, _ tools: Tools
    ) async throws(MediaError) -> Report {
        let type = output.type ?? .jpeg
        var work = try await SheetWork(self, sheet, source, type, tools.encoders)
        try sinks.willMake(work.pages, as: type)
        var begun = try await work.begin(tools)
        if begun.isOutdated {
            // The packets list other frames than can be decoded, which are counted by now.
            work = try await SheetWork(self, sheet, source, type, tools.encoders)
            try sinks.willMake(work.pages, as: type)
            begun = try await work.begin(tools)
        }
        let pages = work.pages
        var (byteCounts, warnings) = try await work.run(begun, tools) {
            (page) throws(MediaError) in try sinks.open(pages[page], as: type)
        }
        var made = zip(pages, byteCounts).map {
            Report.Made(part: $0, type: type, byteCount: $1)
        }
        if sheet.indexes.contains(.chapters), source.frames.info.chapters.isEmpty {
            warnings.append(
                MediaWarning(.withoutEffect, "The source has no chapters: their list is empty."))
        }
        for index in sheet.indexes {
            let text =
                switch index {
                case .vtt:
                    work.plan.webVTT(
                        names: pages.map { FileName.bytes(sinks.name(of: $0, in: index)) })
                case .json:
                    work.plan.index(
                        of: source.label ?? source.name,
                        pages: pages.map { sinks.name(of: $0, in: index) }, work.timings,
                        source.frames.info.chapters
                    ).text
                case .chapters: SheetPlan.webVTT(of: source.frames.info.chapters)
                case .framehash: ""
                }
            let part = Part.index(index)
            let sink = try sinks.open(part, as: index.type)
            try sink.write(Array(text.utf8))
            try sink.finish()
            made.append(.init(part: part, type: index.type, byteCount: text.utf8.count))
        }
        return Report(
            self, parts: made, size: work.plan.pages.first ?? work.plan.tileSize,
            frameCount: work.plan.tiles.count,
            details: .sheet(.init(plan: work.plan, timings: work.timings)), warnings: warnings)
    }
}

extension Rendition.Report {
    /// What is on a sprite sheet.
    public struct Sheet: Sendable {
        /// The layout of the tiles.
        public let plan: SheetPlan
        /// The timing of each frame of the clip.
        public let timings: FrameIndex
    }
}

/// The work of one sprite sheet.
private struct SheetWork {
    let plan: SheetPlan
    let timings: FrameIndex
    private let sheet: Rendition.Sheet
    private let tiles: FrameSequence
    private let header: [String]
    private let chapters: [MediaChapter]
    private let type: MediaType
    private let options: EncodingOptions

    /// Edits a sequence and lays out its tiles; reads the packets of a video, decodes nothing.
    init(
        _ rendition: Rendition, _ sheet: Rendition.Sheet, _ source: Rendition.Source,
        _ type: MediaType, _ encoders: EncoderRegistry
    ) async throws(MediaError) {
        let sequence = source.frames
        if let refusal = sequence.info.songRefusal { throw refusal }
        (self.sheet, self.type) = (sheet, type)
        var options = rendition.output.options(as: type, by: encoders)
        if options.quality == nil, options.lossless != true {
            options.quality = DefaultQuality.standard
        }
        self.options = options
        var edit = rendition.edit.named(source.name)
        let part = edit.segments.first
        (edit.size, edit.segments) = (edit.size ?? Rendition.Sheet.usualTile, [])
        if let traits = encoders.traits(for: type) {
            edit = edit.surrounded(for: traits, rendition.output.encoding)
        }
        chapters = sequence.info.chapters
        header = sheet.hasHeading ? try await source.heading() : []
        tiles = try await sequence.edited(edit)
        timings = try await Self.index(of: tiles)
        guard timings.count > 0 else {
            throw MediaError(.notFound, "The sequence has no frame.")
        }
        guard let traits = encoders.traits(for: type), !traits.canAnimate else {
            throw MediaError(.notWritable, "A sprite sheet is not written as \(type.name).")
        }
        plan = try SheetPlan(
            sheet, timings: timings, tileSize: tiles.info.size, within: part, header: header,
            maxSide: traits.longestSide,
            showsFrames: sequence.info.type.family == .animation)
    }

    /// The frames of a sequence; of a transport stream as its packets list them, since only decoding counts them exactly.
    private static func index(of tiles: FrameSequence) async throws(MediaError) -> FrameIndex {
        tiles.info.type == .mpegTS ? try await tiles.containerIndex() : try await tiles.frameIndex()
    }

    /// The parts that the pages are.
    var pages: [Rendition.Part] {
        let count = plan.pages.count
        return (0..<count).map { count == 1 ? .main : .page($0) }
    }

    /// The number of tiles that are drawn.
    final class Drawn: Sendable {
        private let count = Locked(0)

        /// Counts one more.
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// A sheet whose first page is drawn.
    struct Begun {
        let readers: SheetReaders
        let page: Bitmap
        let done: Drawn
        /// Whether frames were counted anew while it was drawn.
        let isOutdated: Bool
    }

    /// Draws the first page.
    func begin(_ tools: Rendition.Tools) async throws(MediaError) -> Begun {
        let readers = SheetReaders(
            tiles, runs: SheetReaders.Run.runs(of: plan.tiles, timings),
            isQuick: sheet.precision != .exact, threads: tools.threads)
        let done = Drawn()
        let page = try await draw(0, readers, done, tools)
        let count = try await Self.index(of: tiles).count
        return Begun(
            readers: readers, page: page, done: done, isOutdated: count != timings.count)
    }

    /// Makes the pages, each into a sink; the numbers of their bytes.
    func run(
        _ begun: Begun, _ tools: Rendition.Tools,
        into sink: (Int) throws(MediaError) -> any Rendition.Sink
    ) async throws(MediaError) -> (byteCounts: [Int], warnings: [MediaWarning]) {
        let encoder = try StillEncoder(
            for: type, options, threads: tools.threads, by: tools.encoders)
        var byteCounts: [Int] = []
        for page in plan.pages.indices {
            let bitmap =
                page == 0 ? begun.page : try await draw(page, begun.readers, begun.done, tools)
            let sink = try sink(page)
            byteCounts.append(
                try await BlockingPool.shared.working { () async throws(MediaError) in
                    try await encoder.encode(StillPicture(bitmap)) { (bytes) throws(MediaError) in
                        try sink.write(bytes)
                        return bytes.count
                    }
                })
            try sink.finish()
        }
        return (byteCounts, Self.warnings(tiles.info.warnings, begun.readers))
    }

    private func draw(
        _ page: Int, _ readers: SheetReaders, _ done: Drawn, _ tools: Rendition.Tools
    ) async throws(MediaError) -> Bitmap {
        let count = plan.tiles.count
        let hasAlpha = tools.encoders.traits(for: type)?.alpha != FormatTraits.Alpha.none
        return try await draw(page, readers, hasAlpha: hasAlpha) {
            tools.progress(min(1, Double(done.next()) / Double(count)))
        }
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

    /// The title of the chapter of a tile, if it is not that of the tile before.
    private func chapter(beginningAt number: Int) -> String? {
        func chapter(of tile: Int) -> Int? {
            let time = timings.timings[plan.tiles[tile].frame].presentation.duration
            return chapters.lastIndex { $0.start <= time }
        }
        guard !chapters.isEmpty, let own = chapter(of: number),
            number == 0 || chapter(of: number - 1) != own
        else { return nil }
        return chapters[own].title ?? "\(own + 1)"
    }

    private func draw(
        _ page: Int, _ readers: SheetReaders, hasAlpha: Bool,
        didRead: @escaping @Sendable () -> Void
    ) async throws(MediaError) -> Bitmap {
        let numbers = plan.tiles.indices.filter { plan.tiles[$0].page == page }
        let tiles = numbers.map { plan.tiles[$0] }
        let runs = SheetReaders.Run.runs(of: tiles, timings)
        let bitmaps = try await readers.read(runs, didRead: didRead).flatMap { $0 }
        var drawn: [(PixelRect, Bitmap)] = []
        for (number, bitmap) in zip(numbers, bitmaps) {
            guard let bitmap else { continue }
            let (tile, timing) = (plan.tiles[number], timings.timings[plan.tiles[number].frame])
            drawn.append(
                (
                    tile.rect,
                    sheet.stampsTime
                        ? try bitmap.stamped(timing, chapter: chapter(beginningAt: number))
                        : bitmap
                ))
        }
        guard !drawn.isEmpty else {
            throw MediaError(.malformed, "No frame of these tiles could be decoded.")
        }
        if page == 0, plan.headerHeight > 0 {
            let header = SheetHeader(self.header, width: plan.pages[0].width)
            drawn.append(
                (
                    PixelRect(
                        x: 0, y: 0, width: plan.pages[0].width, height: plan.headerHeight),
                    try header.bitmap(
                        width: plan.pages[0].width, paper: sheet.background ?? .white)
                ))
        }
        return try SheetPage.bitmap(
            plan.pages[page], drawn, background: sheet.background ?? (hasAlpha ? nil : .white))
    }
}
