internal import CScanline
internal import LazyBytes
internal import LazyMedia

/// The making of one animated PNG: frames gather while they have few colors, then they are written.
final class APNGWriter {
    /// What is known before the first frame.
    enum Attempt: Equatable {
        /// What the header says.
        case first(expectsAlpha: Bool)
        /// What an attempt before has found out.
        case again(APNGMode.TrueColor)
    }

    private let size: PixelSize
    private let effort: APNGEffort
    private let threads: Int
    private let attempt: Attempt
    private let keepsFrames: Bool
    private let output: APNGOutput
    /// Frames of few colors so far.
    private var store: APNGFrameStore
    /// The mode, from when on there are many colors.
    private var mode: APNGMode.TrueColor?
    private var press: APNGCompressor?
    /// The last frame, which waits for one that shows something else.
    private var held: Held?
    private var heldCount = 0

    private struct Held {
        let bitmap: Bitmap
        /// The time of the first of the frames that show it.
        let first: MediaTime
        var time: MediaTime
    }

    init(
        _ size: PixelSize, _ effort: APNGEffort, threads: Int, _ attempt: Attempt,
        keepsFrames: Bool
    ) throws(MediaError) {
        self.size = size
        self.effort = effort
        self.threads = threads > 0 ? threads : BlockingPool.coreCount
        self.attempt = attempt
        self.keepsFrames = keepsFrames
        output = APNGOutput(size)
        store = try APNGFrameStore(size)
        if case .again(let mode) = attempt { begin(mode) }
    }

    /// Takes a frame in; returns a mode in which all is to be done again, if it must.
    func append(_ frame: Frame) async throws(MediaError) -> APNGMode.TrueColor? {
        guard frame.bitmap.size == size else {
            throw MediaError(
                .notWritable,
                "An animated PNG of \(size) has no room for a frame of \(frame.bitmap.size).")
        }
        let time = frame.timing.duration
        guard let held else {
            self.held = Held(bitmap: frame.bitmap, first: time, time: time)
            return nil
        }
        if !keepsFrames, let sum = held.time.joined(with: time),
            cscanline_changes(from: held.bitmap, to: frame.bitmap).count == 0
        {
            self.held?.time = sum
            return nil
        }
        self.held = Held(bitmap: frame.bitmap, first: time, time: time)
        return try await put(held.bitmap, held.time)
    }

    /// Writes the file; returns a mode in which all is to be done again, if it must.
    func finish(
        _ loop: LoopCount, _ write: ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> APNGMode.TrueColor? {
        if let held, let next = try await putLast(held) { return next }
        guard let mode else {
            let mode = try await writeStore()
            try output.finish(mode, loop, write)
            return nil
        }
        guard try await press?.finish(to: output.put) ?? true else { return better(mode) }
        try output.finish(APNGMode(mode), loop, write)
        return nil
    }

    /// An animation that shows one picture only remains one of two frames.
    private func putLast(_ held: Held) async throws(MediaError) -> APNGMode.TrueColor? {
        guard heldCount == 0, held.time != held.first else {
            return try await put(held.bitmap, held.time)
        }
        let rest = MediaTime(ticks: held.time.ticks - held.first.ticks, base: held.time.base)
        if let next = try await put(held.bitmap, held.first) { return next }
        return try await put(held.bitmap, rest)
    }

    private func put(
        _ bitmap: Bitmap, _ time: MediaTime
    ) async throws(MediaError) -> APNGMode.TrueColor? {
        heldCount += 1
        let delay = APNGDelay(time)
        if mode == nil {
            if try store.append(bitmap, delay: delay) { return nil }
            if let next = try await overflow(with: bitmap) { return next }
        }
        guard let mode else { return nil }
        let isSaid = try await press?.append(bitmap, delay: delay, to: output.put) ?? true
        return isSaid ? nil : better(mode)
    }

    /// Goes over to true color with the frames that wait.
    private func overflow(
        with bitmap: Bitmap
    ) async throws(MediaError) -> APNGMode.TrueColor? {
        store.close()
        let mode = Self.mode(store.colors.colors, bitmap, effort, attempt)
        begin(mode)
        var isSaid = true
        let output = output
        var press = press
        try await store.replay { (bitmap, delay) throws(MediaError) in
            isSaid = try await press?.append(bitmap, delay: delay, to: output.put) ?? true
            return isSaid
        }
        self.press = press
        store = try APNGFrameStore(size)
        return isSaid ? nil : better(mode)
    }

    private func begin(_ mode: APNGMode.TrueColor) {
        self.mode = mode
        press = APNGCompressor(APNGMode(mode), effort, threads: threads)
    }

    /// The mode for what has been seen.
    private static func mode(
        _ colors: [UInt32], _ bitmap: Bitmap, _ effort: APNGEffort, _ attempt: Attempt
    ) -> APNGMode.TrueColor {
        let rows = { (pixels: UnsafePointer<UInt32>) in
            cscanline_changes(from: nil, to: bitmap).rows(pixels, bitmap.size.width)
        }
        var traits = bitmap.withPixels { cscanline_traits(rows($0)) }
        colors.withUnsafeBufferPointer { colors in
            guard let start = colors.baseAddress else { return }
            traits &= cscanline_traits(
                cscanline_rows(
                    rgba: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self),
                    width: colors.count, stride: colors.count * 4, first_row: 0, row_count: 1))
        }
        let isOpaque = traits & CInt(CSCANLINE_OPAQUE) != 0
        if traits & CInt(CSCANLINE_GREY) != 0, !isOpaque { return .grayAlpha }
        if !effort.tries {
            return isOpaque && attempt != .first(expectsAlpha: true) ? .rgb : .rgba
        }
        return traits & CInt(CSCANLINE_BINARY) != 0 ? .keyedRGB : .rgba
    }

    /// The mode that can say what this one cannot.
    private func better(_ mode: APNGMode.TrueColor) -> APNGMode.TrueColor { .rgba }

    /// Writes the frames of few colors in the mode that takes the fewest bytes.
    private func writeStore() async throws(MediaError) -> APNGMode {
        store.close()
        let modes = APNGMode.indexed(store.colors)
        // Packed bits ask for the whole canvas each time, which is to be tried first.
        var mode = modes.first { $0.depth == 8 } ?? modes[0]
        if effort.tries { mode = try await tried(modes) }
        var press = APNGCompressor(mode, effort, threads: threads)
        let output = output
        try await store.replay { (bitmap, delay) throws(MediaError) in
            try await press.append(bitmap, delay: delay, to: output.put)
        }
        _ = try await press.finish(to: output.put)
        return mode
    }

    /// The best mode for the first frames, of about so many pixels.
    private func tried(_ modes: [APNGMode]) async throws(MediaError) -> APNGMode {
        let mostPixels = 1 << 20
        let trial = store.pixelCount <= mostPixels / 4 ? effort : effort.sketch
        var least = (place: 0, byteCount: Int.max)
        for (place, mode) in modes.enumerated() {
            var press = APNGCompressor(mode, trial, threads: threads)
            var byteCount = mode.palette.count * 3
            var pixels = 0
            var isSaid = true
            let count = { (job: APNGJob) throws(MediaError) in byteCount += job.bytes.count }
            try await store.replay { (bitmap, delay) throws(MediaError) in
                isSaid = try await press.append(bitmap, delay: delay, to: count)
                pixels += bitmap.size.pixelCount
                return isSaid && pixels < mostPixels
            }
            isSaid = try await press.finish(to: count) && isSaid
            if isSaid, byteCount < least.byteCount { least = (place, byteCount) }
        }
        return modes[least.place]
    }
}

extension MediaTime {
    /// The time of two frames in one, or nil where players would make another of it.
    ///
    /// That is where a fraction of `fcTL` has no room, and where a delay is so short that browsers
    /// lengthen it.
    fileprivate func joined(with next: MediaTime) -> MediaTime? {
        let least = MediaTime(microseconds: 10_000)
        guard base == next.base, self > least, next > least else { return nil }
        let (sum, overflow) = ticks.addingReportingOverflow(next.ticks)
        let time = MediaTime(ticks: sum, base: base)
        return !overflow && APNGDelay(time).isExactly(time) ? time : nil
    }
}
