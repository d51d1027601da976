internal import CJPEG
internal import LazyMedia

/// Writes one JPEG whose rows come from the top; owns a compressor of libjpeg.
final class JPEGWriter {
    private let handle: OpaquePointer
    private let output: Output
    private let rowBytes: Int
    /// The color behind pixels that are not opaque; nil where all are.
    private let background: PixelColor?
    private var flat: [UInt8] = []
    /// Whether one component is written.
    private let isGray: Bool

    /// Makes a writer; `write` receives the bytes of the file in order.
    ///
    /// With a profile for gray there is one component; then adding rows of other pixels throws `.notWritable`.
    init(
        _ encoder: JPEGEncoder, _ rows: StillRows, _ isProgressive: Bool,
        isCancelled: @escaping () -> Bool, write: @escaping ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        output = Output(isCancelled, write)
        isGray = rows.color.profile?.isGray == true
        // The sides were checked against those of the format.
        var picture = cjpeg_picture(
            width: UInt32(rows.size.width), height: UInt32(rows.size.height),
            quality: CInt(encoder.quality), is_progressive: isProgressive ? 1 : 0,
            is_full_color: encoder.isFullColor ? 1 : 0, is_gray: isGray ? 1 : 0,
            context: Unmanaged.passUnretained(output).toOpaque(),
            write: { context, bytes, count in
                Output.of(context).write(UnsafeBufferPointer(start: bytes, count: count))
            },
            should_stop: { Output.of($0).isStopped ? 1 : 0 })
        guard let handle = cjpeg_writer_make(&picture) else {
            throw MediaError(.environment, "There is no memory for writing a JPEG.")
        }
        self.handle = handle
        rowBytes = rows.size.width * 4
        background = rows.isOpaque ? nil : encoder.background
        LiveHandles.didOpen()
    }

    deinit {
        cjpeg_writer_free(handle)
        LiveHandles.didClose()
    }

    /// Writes the next rows: RGBA8 without padding.
    func add(_ rows: UnsafeRawBufferPointer) throws(MediaError) {
        guard let background else { return try write(rows) }
        let step = rowBytes * 16
        for start in stride(from: 0, to: rows.count, by: step) {
            let some = UnsafeRawBufferPointer(
                rebasing: rows[start..<min(start + step, rows.count)])
            if flat.count < some.count { flat = [UInt8](repeating: 0, count: some.count) }
            background.lie(behind: some, into: &flat)
            try flat.withBytes { (flat) throws(MediaError) in
                try write(UnsafeRawBufferPointer(rebasing: flat[..<some.count]))
            }
        }
    }

    /// Writes what is left, once all rows have come.
    func finish() throws(MediaError) { try check(cjpeg_writer_finish(handle)) }

    private func write(_ rows: UnsafeRawBufferPointer) throws(MediaError) {
        guard let rgba = rows.bindMemory(to: UInt8.self).baseAddress else { return }
        guard !isGray || rows.isGray else { throw .coloredGray(.jpeg) }
        try check(cjpeg_writer_add(handle, rgba, UInt32(rows.count / rowBytes)))
    }

    private func check(_ status: cjpeg_status) throws(MediaError) {
        if let failure = output.failure { throw failure }
        switch status {
        case CJPEG_DONE: return
        case CJPEG_STOPPED: throw .cancelled
        default:
            let words = String(cString: cjpeg_writer_words(handle))
            throw MediaError(.environment, "The JPEG cannot be written: \(words.withoutPeriod).")
        }
    }

    /// The context of C's callbacks; keeps an error until it can be thrown.
    private final class Output {
        private let isCancelled: () -> Bool
        private let take: ([UInt8]) throws(MediaError) -> Void
        private(set) var failure: MediaError?

        init(
            _ isCancelled: @escaping () -> Bool,
            _ take: @escaping ([UInt8]) throws(MediaError) -> Void
        ) {
            self.isCancelled = isCancelled
            self.take = take
        }

        var isStopped: Bool { failure != nil || isCancelled() }

        func write(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard failure == nil else { return }
            do throws(MediaError) { try take(Array(bytes)) } catch { failure = error }
        }

        static func of(_ context: UnsafeMutableRawPointer) -> Output {
            Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
        }
    }
}

extension PixelColor {
    /// Blends rows of pixels over the color, whose own alpha is ignored.
    fileprivate func lie(behind rows: UnsafeRawBufferPointer, into flat: inout [UInt8]) {
        let paper = [UInt32(red), UInt32(green), UInt32(blue)]
        flat.withUnsafeMutableBytes { output in
            for start in Swift.stride(from: 0, to: rows.count, by: 4) {
                let alpha = UInt32(rows[start + 3])
                for channel in 0..<3 {
                    let sum = UInt32(rows[start + channel]) * alpha + paper[channel] * (255 - alpha)
                    output[start + channel] = UInt8(truncatingIfNeeded: (sum + 127) / 255)
                }
                output[start + 3] = 255
            }
        }
    }
}
