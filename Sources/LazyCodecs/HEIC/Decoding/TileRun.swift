internal import LazyBase
internal import LazyMedia

/// Decodes coded pictures on several threads, each into its own place of one canvas.
///
/// Unchecked: pieces of the canvas do not overlap, and the rest is immutable or under the lock.
final class TileRun: @unchecked Sendable {
    /// A coded picture and where it lies in the canvas.
    struct Tile: Sendable {
        let item: CodedItem
        /// What its samples mean, or nil where luma is alpha.
        let color: ColorDescription?
        /// Inside the canvas.
        let place: PixelRect
    }

    /// How the work went.
    struct Outcome: Sendable {
        /// Tiles that could not be decoded; their places are transparent.
        var missing = 0
        /// Tiles with concealed parts.
        var damaged = 0
        /// What the samples of the canvas mean.
        var color: ColorDescription?
        /// Why colors may be wrong.
        var warning: MediaWarning?
        var error: MediaError?
    }

    private struct State {
        var next = 0
        var outcome = Outcome()
        /// Whether the error ends all work.
        var isOver = false
    }

    /// Rows of RGBA8 or RGBA16 without padding.
    struct Canvas {
        let start: UnsafeMutableRawPointer
        let width: Int
        /// Whether samples have 16 bits and keep their colors.
        var isDeep = false

        fileprivate var pixelBytes: Int { isDeep ? 8 : 4 }
        fileprivate var stride: Int { width * pixelBytes }

        /// The first pixel of a place.
        fileprivate func pointer(_ place: PixelRect, row: Int = 0) -> UnsafeMutableRawPointer {
            start + (place.y + row) * stride + place.x * pixelBytes
        }
    }

    private let tiles: [Tile]
    private let canvas: Canvas
    private let source: CodedPictures
    private let options: ReaderOptions
    private let deadline: ContinuousClock.Instant?
    private let threads: Int
    private let reduction: PlaneReduction?
    private let state = Locked(State())

    init(
        _ tiles: [Tile], into canvas: Canvas, _ source: CodedPictures, _ options: ReaderOptions,
        until deadline: ContinuousClock.Instant?, reducedBy reduction: PlaneReduction? = nil
    ) {
        self.reduction = reduction
        self.tiles = tiles
        self.canvas = canvas
        self.source = source
        self.options = options
        self.deadline = deadline
        threads = max(1, min(options.threads, tiles.count, BlockingPool.coreCount))
    }

    /// Decodes all tiles; throws where none can be decoded, and errors that are not of one tile.
    func run() throws(MediaError) -> Outcome {
        if threads > 1 {
            BlockingPool.shared.runTogether(threads) { [self] in work() }
        } else {
            work()
        }
        let state = state.withLock { $0 }
        if let error = state.outcome.error, state.isOver || state.outcome.missing == tiles.count {
            throw error
        }
        return state.outcome
    }

    private func work() {
        var decoder: (any CodedPictureDecoder)?
        var made: CodedItem?
        while let tile = next() {
            do throws(MediaError) {
                try check()
                if made.map({ !$0.hasSameSetup(as: tile.item) }) ?? true {
                    decoder = try makeDecoder(tile.item)
                    made = tile.item
                }
                try decoder?.decode(
                    try source.bytes.read(tile.item.item, options.limits, options.cancellation)
                ) { (planes) throws(MediaError) in try place(planes, tile) }
            } catch {
                clear(tile.place)
                fail(error)
            }
        }
    }

    private func next() -> Tile? {
        state.withLock { state in
            guard state.next < tiles.count, !state.isOver else { return nil }
            defer { state.next += 1 }
            return tiles[state.next]
        }
    }

    private func check() throws(MediaError) {
        try options.cancellation.check()
        if let deadline, deadline < .now { throw options.limits.exceededDecodeTime }
    }

    private func makeDecoder(_ item: CodedItem) throws(MediaError) -> any CodedPictureDecoder {
        // Decoders round sides up to their blocks and may add a border.
        let pixels = (item.size.width + 128) * (item.size.height + 128)
        return try source.pictures.makeDecoder(
            PictureDecoderSetup(
                codec: item.codec, configuration: item.configuration, pixels: pixels,
                memory: options.limits.memory.map { $0 / threads },
                threads: max(1, options.threads / threads), isQuick: options.isQuick))
    }

    private func place(_ planes: SamplePlanes, _ tile: Tile) throws(MediaError) {
        let size = tile.item.size
        guard planes.size.width >= size.width, planes.size.height >= size.height else {
            throw .heic("has a picture that is smaller than it says")
        }
        if planes.isDamaged { state.withLock { $0.outcome.damaged += 1 } }
        let place = tile.place
        guard let reduction else { return write(planes, tile.color, at: place) }
        reduction.reduce(planes, width: place.width, height: place.height) { planes in
            write(planes, tile.color, at: place.divided(by: reduction.factor))
        }
    }

    /// Converts samples into a place of the canvas; without a color luma is alpha.
    private func write(_ planes: SamplePlanes, _ told: ColorDescription?, at place: PixelRect) {
        var planes = planes
        planes.size = PixelSize(width: place.width, height: place.height)
        var converter: ColorConverter?
        if let told {
            planes.color = told.completed(by: planes.color)
            let choice = ReadingColors(
                planes.color, .still, options.color, planes.chroma == nil ? .gray : .rgb)
            state.withLock { state in
                state.outcome.color = choice.color
                state.outcome.warning = choice.warning ?? state.outcome.warning
            }
            converter = choice.converter
        } else {
            // Alpha is coded in the full range, whatever the file says.
            planes = planes.lumaAlone
        }
        // Chroma is repeated as in libheif.
        if canvas.isDeep {
            return planes.writeDeep(
                blendsChroma: false, into: canvas.pointer(place), stride: canvas.stride)
        }
        planes.convert(
            by: converter, blendsChroma: false, into: canvas.pointer(place), stride: canvas.stride)
    }

    private func clear(_ place: PixelRect) {
        let place = reduction.map { place.divided(by: $0.factor) } ?? place
        for row in 0..<place.height {
            canvas.pointer(place, row: row).initializeMemory(
                as: UInt8.self, repeating: 0, count: place.width * canvas.pixelBytes)
        }
    }

    private func fail(_ error: MediaError) {
        let isLocal =
            [.malformed, .truncated].contains(error.code) && !source.bytes.source.isPartial
        state.withLock { state in
            state.outcome.missing += 1
            if state.outcome.error == nil || !isLocal { state.outcome.error = error }
            if !isLocal { state.isOver = true }
        }
    }
}

extension PixelRect {
    fileprivate func divided(by factor: Int) -> PixelRect {
        PixelRect(x: x / factor, y: y / factor, width: width / factor, height: height / factor)
    }
}

extension CodedItem {
    /// Whether one decoder serves both.
    fileprivate func hasSameSetup(as other: CodedItem) -> Bool {
        codec == other.codec && size == other.size && configuration == other.configuration
    }
}

extension SamplePlanes {
    /// Luma as gray in the full range.
    fileprivate var lumaAlone: SamplePlanes {
        SamplePlanes(
            size: size, depth: depth, luma: luma, chroma: nil,
            color: ColorDescription(matrix: .bt601, isFullRange: true), isDamaged: isDamaged)
    }
}
