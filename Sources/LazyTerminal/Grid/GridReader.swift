internal import LazyBase
internal import LazyMedia

/// Reads the frames of a grid: pictures of all its media at one time.
final class GridReader: FrameReader {
    private let media: GridMedia
    private let options: ReaderOptions
    private let canvas: PixelSize
    private let cells: [GridCell]
    private var index = 0
    /// The picture of the cells as they are, unless one of them has changed since.
    private var last: Bitmap?

    init(_ media: GridMedia, _ options: ReaderOptions) throws(MediaError) {
        self.media = media
        self.options = options
        canvas = options.size ?? media.info.size
        var inner = options
        inner.threads = max(1, options.threads / max(1, media.places.count))
        var cells: [GridCell] = []
        for place in media.places {
            cells.append(try GridCell(place, of: media.info.size, on: canvas, inner))
        }
        self.cells = cells
    }

    var warnings: [MediaWarning] { cells.flatMap(\.warnings) }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        try options.cancellation.check()
        guard let time = media.time(of: index) else { return nil }
        var rest = Duration.seconds(86_400)
        for cell in cells {
            if try cell.advance(to: time) { last = nil }
            rest = min(rest, cell.rest(at: time))
        }
        let timing = media.timing(of: index, for: rest)
        guard isWanted(timing) else {
            index = media.index(after: timing)
            return (timing, nil)
        }
        let bitmap: Bitmap
        if let last { bitmap = last } else { bitmap = try compose() }
        last = bitmap
        index = media.index(after: timing)
        return (timing, Frame(bitmap: bitmap, timing: timing))
    }

    func seek(toIndex index: Int) { self.index = max(0, index) }

    func seek(toTime time: Duration) { index = media.index(at: time) }

    private func compose() throws(MediaError) -> Bitmap {
        try Bitmap(size: canvas, isOpaque: false) { rows in
            rows.initializeMemory(as: UInt8.self, repeating: 0)
            for cell in cells { cell.draw(into: rows, of: canvas) }
        }
    }
}

/// One of the media of a grid, and its picture at a time.
private final class GridCell {
    private let length: Duration
    private let left: Int
    private let top: Int
    private var reader: (any FrameReader)?
    private var shown: Frame?
    private var next: Frame?
    /// The error that ended reading; the picture before it stays.
    private var failure: MediaWarning?

    /// A place on a canvas of one size, drawn on one of another.
    init(
        _ place: GridMedia.Place, of whole: PixelSize, on canvas: PixelSize,
        _ options: ReaderOptions
    ) throws(MediaError) {
        length = place.length
        left = place.rect.x * canvas.width / whole.width
        top = place.rect.y * canvas.height / whole.height
        var options = options
        options.size = PixelSize(
            width: max(1, place.rect.width * canvas.width / whole.width),
            height: max(1, place.rect.height * canvas.height / whole.height))
        reader = try place.sequence.makeReader(options)
    }

    var warnings: [MediaWarning] { (reader?.warnings ?? []) + (failure.map { [$0] } ?? []) }

    /// Decodes up to a time of the grid; whether another picture is shown then.
    func advance(to time: Duration) throws(MediaError) -> Bool {
        guard let reader else { return false }
        do throws(MediaError) {
            return try advance(reader, to: Self.position(of: time, in: length))
        } catch {
            if error.code == .cancelled { throw error }
            failure = MediaWarning(.malformed, error.message)
            self.reader = nil
            return false
        }
    }

    /// How long its picture stays from a time of the grid on.
    func rest(at time: Duration) -> Duration {
        let position = Self.position(of: time, in: length)
        if let next { return next.presentationTime - position }
        return length > .zero && reader != nil ? length - position : .seconds(86_400)
    }

    private static func position(of time: Duration, in length: Duration) -> Duration {
        let whole = length.microseconds
        return whole > 0 ? .microseconds(time.microseconds % whole) : .zero
    }

    private func advance(
        _ reader: any FrameReader, to time: Duration
    ) throws(MediaError) -> Bool {
        guard let shown, isNear(shown, time) else {
            try reader.seek(toTime: time)
            self.shown = try reader.nextFrame()
            next = try reader.nextFrame()
            return true
        }
        var hasMoved = false
        while let frame = next, frame.presentationTime <= time {
            self.shown = frame
            next = try reader.nextFrame()
            hasMoved = true
        }
        return hasMoved
    }

    // Whether decoding from a frame on reaches a time sooner than seeking.
    private func isNear(_ frame: Frame, _ time: Duration) -> Bool {
        time >= frame.presentationTime
            && time < frame.presentationTime.adding(frame.duration).adding(.seconds(1))
    }

    func draw(into rows: UnsafeMutableRawBufferPointer, of canvas: PixelSize) {
        guard let bitmap = shown?.bitmap else { return }
        let width = min(bitmap.size.width, canvas.width - left)
        let height = min(bitmap.size.height, canvas.height - top)
        guard width > 0, height > 0 else { return }
        bitmap.withBytes { bytes in
            for y in 0..<height {
                let row = UnsafeRawBufferPointer(
                    rebasing: bytes[(y * bitmap.stride)...].prefix(width * 4))
                rows[(((top + y) * canvas.width + left) * 4)...].copyBytes(from: row)
            }
        }
    }
}
