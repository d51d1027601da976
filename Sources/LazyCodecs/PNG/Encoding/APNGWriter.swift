internal import CKernels
internal import LazyBase
internal import LazyMedia

/// Encodes one animated PNG: frames are collected while they have few colors, then written.
final class APNGWriter {
    /// What is known before encoding.
    enum Attempt: Equatable {
        /// The first attempt, knowing the header only.
        case first(expectsAlpha: Bool)
        /// A further attempt in the mode that the previous one needed.
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
    /// The mode, once there are many colors.
    private var mode: APNGMode.TrueColor?
    private var compressor: APNGCompressor?
    /// The last frame, which waits for a different one.
    private var held: Held?
    private var heldCount = 0

    private struct Held {
        let bitmap: Bitmap
        /// The duration of the first of the merged frames.
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

    /// The frames in the file, once it is written.
    var frameCount: Int { output.frameCount }

    /// Adds a frame; returns a mode in which to encode again, or nil.
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

    /// Writes the file; returns a mode in which to encode again, or nil.
    func finish(
        _ loop: LoopCount, _ write: ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> APNGMode.TrueColor? {
        if let held, let next = try await putLast(held) { return next }
        guard let mode else {
            let mode = try await writeStore()
            try output.finish(mode, loop, write)
            return nil
        }
        guard try await compressor?.finish(to: output.put) ?? true else { return better(mode) }
        try output.finish(APNGMode(mode), loop, write)
        return nil
    }

    /// An animation of equal frames keeps two of them.
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
        let isRepresentable =
            try await compressor?.append(bitmap, delay: delay, to: output.put) ?? true
        return isRepresentable ? nil : better(mode)
    }

    /// Switches to true color with the waiting frames.
    private func overflow(
        with bitmap: Bitmap
    ) async throws(MediaError) -> APNGMode.TrueColor? {
        store.close()
        let mode = Self.mode(store.colors.colors, bitmap, effort, attempt)
        begin(mode)
        var isRepresentable = true
        let output = output
        var compressor = compressor
        try await store.replay { (bitmap, delay) throws(MediaError) in
            isRepresentable =
                try await compressor?.append(bitmap, delay: delay, to: output.put) ?? true
            return isRepresentable
        }
        self.compressor = compressor
        store = try APNGFrameStore(size)
        return isRepresentable ? nil : better(mode)
    }

    private func begin(_ mode: APNGMode.TrueColor) {
        self.mode = mode
        compressor = APNGCompressor(APNGMode(mode), effort, threads: threads)
    }

    /// The mode for the colors so far.
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

    /// The mode that represents what this one cannot.
    private func better(_ mode: APNGMode.TrueColor) -> APNGMode.TrueColor { .rgba }

    /// Writes the frames of few colors in the smallest mode.
    private func writeStore() async throws(MediaError) -> APNGMode {
        store.close()
        let modes = APNGMode.indexed(store.colors)
        // Packed bits need the whole canvas in each frame, so they are tried first.
        var mode = modes.first { $0.depth == 8 } ?? modes[0]
        if effort.tries { mode = try await tried(modes) }
        var compressor = APNGCompressor(mode, effort, threads: threads)
        let output = output
        try await store.replay { (bitmap, delay) throws(MediaError) in
            try await compressor.append(bitmap, delay: delay, to: output.put)
        }
        _ = try await compressor.finish(to: output.put)
        return mode
    }

    /// The smallest mode for the first frames, up to a number of pixels.
    private func tried(_ modes: [APNGMode]) async throws(MediaError) -> APNGMode {
        let maxPixels = 1 << 20
        let trial = store.pixelCount <= maxPixels / 4 ? effort : effort.quickTrial
        var least = (place: 0, byteCount: Int.max)
        for (place, mode) in modes.enumerated() {
            var compressor = APNGCompressor(mode, trial, threads: threads)
            var byteCount = mode.palette.count * 3
            var pixels = 0
            var isRepresentable = true
            let count = { (job: APNGJob) throws(MediaError) in byteCount += job.bytes.count }
            try await store.replay { (bitmap, delay) throws(MediaError) in
                isRepresentable = try await compressor.append(bitmap, delay: delay, to: count)
                pixels += bitmap.size.pixelCount
                return isRepresentable && pixels < maxPixels
            }
            isRepresentable = try await compressor.finish(to: count) && isRepresentable
            if isRepresentable, byteCount < least.byteCount { least = (place, byteCount) }
        }
        return modes[least.place]
    }
}

extension MediaTime {
    /// The sum of two frames' durations, or nil where players would show another.
    ///
    /// That is where no fraction of `fcTL` is exact, and where browsers lengthen a short delay.
    fileprivate func joined(with next: MediaTime) -> MediaTime? {
        let least = MediaTime(microseconds: 10_000)
        guard base == next.base, self > least, next > least else { return nil }
        let (sum, overflow) = ticks.addingReportingOverflow(next.ticks)
        let time = MediaTime(ticks: sum, base: base)
        return !overflow && APNGDelay(time).isExactly(time) ? time : nil
    }
}
