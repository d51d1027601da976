internal import CKernels
internal import LazyMedia

/// The samples of one frame, to be filtered and compressed.
struct APNGScanlines: ~Copyable {
    private let mode: APNGMode
    private let width: Int
    private let height: Int
    private let isDither: Bool
    private var samples = GrowingBytes()
    /// Whether the mode cannot represent a pixel.
    private(set) var isUnrepresentable = false

    /// The filters None and Up, and the best for each row.
    private static let none: CInt = 0
    private static let up: CInt = 2
    private static let best: CInt = 5

    /// Takes the samples of RGBA pixels in rows of a width.
    init(_ pixels: [UInt32], width: Int, _ mode: APNGMode) throws(MediaError) {
        self.mode = mode
        self.width = width
        height = pixels.count / width
        let output = try samples.room(for: width * height * mode.channels)
        var isRepresentable = true
        var isDither = true
        let height = height
        pixels.withUnsafeBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            switch mode.samples {
            case .lookedUp(let index, let map): index.lookUp(pixels, map, into: output)
            case .direct(let channels, let key):
                isRepresentable =
                    cscanline_take_samples(start, pixels.count, CInt(channels), key, output) != 0
            }
            if mode.mayFilter {
                let bytes = UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self)
                isDither =
                    cscanline_has_few_colors(
                        cscanline_rows(
                            rgba: bytes, width: width, stride: width * 4, first_row: 0,
                            row_count: height)) != 0
            }
        }
        isUnrepresentable = !isRepresentable
        self.isDither = isDither
    }

    /// Whether it compresses quickly.
    private var isSmall: Bool { width * height * mode.channels <= 1 << 16 }

    /// Compresses with the given effort.
    consuming func compressed(_ effort: APNGEffort) throws(MediaError) -> [UInt8] {
        var filters = [isDither ? Self.none : Self.best]
        if mode.mayFilter, effort.tries {
            filters = [Self.none, Self.up, Self.best]
            // For palettes the quick estimate is good enough.
            let maxTried = mode.channels == 1 ? 1 << 13 : 1 << 16
            if !effort.triesWholly, width * height * mode.channels > maxTried {
                filters = [try quickest(of: filters)]
            }
        }
        var least: [UInt8]?
        for filter in filters {
            let bytes = try Self.compress(
                filtered(filter), effort.compression, isDither: isDither)
            if least.map({ bytes.count < $0.count }) ?? true { least = bytes }
        }
        return least ?? []
    }

    /// The filter with the smallest result of quick compression.
    private borrowing func quickest(of filters: [CInt]) throws(MediaError) -> CInt {
        var least = (filter: Self.none, byteCount: Int.max)
        for filter in filters {
            let byteCount = try Self.quickSize(filtered(filter))
            if byteCount < least.byteCount { least = (filter, byteCount) }
        }
        return least.filter
    }

    /// An estimate of the compressed size, exact for small frames.
    consuming func estimate(_ effort: APNGEffort) throws(MediaError) -> Int {
        if isSmall { return try compressed(effort).count }
        return try Self.quickSize(filtered(isDither ? Self.none : Self.best))
    }

    private borrowing func filtered(_ filter: CInt) throws(MediaError) -> GrowingBytes {
        let rowBytes = width * mode.channels
        var scratch = GrowingBytes()
        var scanlines = GrowingBytes()
        let memory = try scratch.room(for: 3 * rowBytes)
        let count = height * (1 + rowBytes)
        let output = try scanlines.room(for: count)
        samples.withStart { start in
            cscanline_filter_samples(
                start, nil, rowBytes, height, mode.channels, filter, memory, output)
        }
        scanlines.didFill(
            mode.depth < 8
                ? cscanline_pack_indices(output, width, height, CInt(mode.depth)) : count)
        return scanlines
    }

    private static func quickSize(_ scanlines: borrowing GrowingBytes) throws(MediaError) -> Int {
        try compress(scanlines, .quick, isDither: false).count
    }

    private static func compress(
        _ scanlines: borrowing GrowingBytes, _ compression: APNGEffort.Compression, isDither: Bool
    ) throws(MediaError) -> [UInt8] {
        var output = GrowingBytes()
        // ISA-L ends a block where its output buffer ends; equal pictures must give equal bytes.
        _ = try output.room(for: scanlines.count + scanlines.count / 16 + (1 << 12))
        if case .zlib(let level) = compression {
            let isDone = scanlines.withStart { start in
                cscanline_squeeze(level, start, scanlines.count, &output.buffer) != 0
            }
            guard isDone else {
                throw MediaError(.environment, "There is no memory for compressing a PNG.")
            }
        } else {
            let deflater = try Deflater()
            deflater.begin(isDither ? .adaptive : .quick)
            let count = scanlines.count
            var failure: MediaError?
            scanlines.withStart { start in
                do throws(MediaError) {
                    try deflater.append(start, count: count, isLast: true, to: &output)
                } catch { failure = error }
            }
            if let failure { throw failure }
        }
        return try output.withBytes { (bytes) throws(MediaError) in Array(bytes) }
    }
}
