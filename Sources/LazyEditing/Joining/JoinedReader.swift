internal import LazyMedia

/// The part that a reader has open.
private struct OpenPart {
    let piece: Int
    let reader: any FrameReader
    /// The size of its pictures in the file.
    let size: PixelSize
    /// The number of the frame that its reader returns next.
    var next = 0
}

/// Reads the frames of joined media; one part is open at a time.
final class JoinedReader: FrameReader {
    private let media: JoinedMedia
    private let options: ReaderOptions
    private let canvas: PixelSize
    private var budget: DecodingBudget
    private var position = 0
    private var open: OpenPart?
    /// Frames that are going to be sought, in ascending order; each part is told of its own when it is open.
    private var announced: [Int] = []
    private var closedWarnings: [MediaWarning] = []

    init(_ media: JoinedMedia, _ options: ReaderOptions) {
        self.media = media
        self.options = options
        canvas = options.size ?? media.info.size
        budget = DecodingBudget(options.limits)
    }

    var warnings: [MediaWarning] { closedWarnings + (open?.reader.warnings ?? []) }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        try options.cancellation.check()
        while options.keyframesOnly, position < media.timings.count,
            !media.timings[position].isKeyframe
        { position += 1 }
        guard position < media.timings.count else { return nil }
        let began = ContinuousClock.now
        try budget.spend(frame: canvas)
        let place = media.piece(of: position)
        let piece = media.pieces[place]
        let timing = media.timings[position]
        let frame: Frame?
        do throws(MediaError) {
            frame = try read(position - piece.start, of: place, isWanted: isWanted(timing))
        } catch {
            throw piece.part.named(error)
        }
        if position == announced.last { announced = [] }
        position += 1
        try budget.spend(time: ContinuousClock.now - began)
        return (timing, frame?.inTime(timing))
    }

    private func read(
        _ index: Int, of place: Int, isWanted: Bool
    ) throws(MediaError) -> Frame? {
        var part: OpenPart
        if let open, open.piece == place { part = open } else { part = try begin(place) }
        if part.next != index { try part.reader.seek(toIndex: index) }
        part.next = index + 1
        open = part
        var found = try part.reader.nextFrame { _ in isWanted }
        if found == nil, media.isEstimated {
            try part.reader.seek(toTime: .seconds(1 << 40))
            found = try part.reader.nextFrame { _ in isWanted }
        }
        guard let next = found else {
            throw MediaError(.truncated, "The file ends before its frame \(index).")
        }
        return isWanted ? try next.frame?.centered(on: canvas, media.edges) : nil
    }

    private func begin(_ place: Int) throws(MediaError) -> OpenPart {
        close()
        let sequence = try media.pieces[place].sequence()
        let size = sequence.info.size
        var inner = options
        inner.size = self.size(of: size, on: canvas)
        inner.keyframesOnly = false
        let part = OpenPart(piece: place, reader: try sequence.makeReader(inner), size: size)
        announce(to: part)
        return part
    }

    func willRead(_ indices: [Int]) {
        announced = indices
        if let open { announce(to: open) }
    }

    /// Tells a part which of its frames are going to be sought.
    private func announce(to part: OpenPart) {
        let start = media.pieces[part.piece].start
        let end =
            part.piece + 1 < media.pieces.count
            ? media.pieces[part.piece + 1].start : media.timings.count
        let first = announced.partitionPoint { $0 < start }
        let own = announced[first...].prefix { $0 < end }
        if own.count > 1 { part.reader.willRead(own.map { $0 - start }) }
    }

    /// Warnings of many parts are not kept.
    private func close() {
        guard let part = open else { return }
        open = nil
        for warning in part.reader.warnings where closedWarnings.count < 100 {
            let name = media.pieces[part.piece].part.name
            let text = name.isEmpty ? warning.message : "\(name): \(warning.message)"
            let named = MediaWarning(warning.code, text)
            if !closedWarnings.contains(named) { closedWarnings.append(named) }
        }
    }

    /// The size of a picture that fits into a canvas; a picture of the whole size fills it.
    private func size(of picture: PixelSize, on canvas: PixelSize) -> PixelSize {
        guard picture != media.info.size else { return canvas }
        return TargetSize(width: canvas.width, height: canvas.height).scaledSize(of: picture)
    }

    func seek(toIndex index: Int) { position = min(max(0, index), media.timings.count) }

    func seek(toTime time: Duration) { position = FrameIndex(media.timings).frame(at: time) ?? 0 }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        guard position > 0, let open,
            let frame = try open.reader.lastFrame(at: self.size(of: open.size, on: size))
        else { return nil }
        return try frame.centered(on: size, media.edges).inTime(media.timings[position - 1])
    }
}

extension Frame {
    /// The frame in the middle of a canvas that is not smaller; it is itself where the sizes are equal.
    fileprivate func centered(
        on canvas: PixelSize, _ edges: PixelColor?
    ) throws(MediaError) -> Frame {
        guard bitmap.size != canvas else { return self }
        return replacing(try bitmap.centered(on: canvas, edges))
    }
}
