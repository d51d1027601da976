internal import Glibc
internal import LazyMedia

/// Analyzes the colors of a segment of frames, scene by scene, as they arrive.
struct PaletteAnalyzer: ~Copyable {
    /// Larger pictures are sampled.
    private static let maxSamples = 1 << 18
    /// The difference of two frames' coarse histograms from which on a new scene begins.
    private static let cut = 0.5

    private let size: PixelSize
    private let step: Int
    private var histogram = ColorHistogram()
    private var coarse = [Int32](repeating: 0, count: 1 << 12)
    private var lastCoarse = [Int32](repeating: 0, count: 1 << 12)
    private var finished: [[ColorHistogram.Entry]] = []
    private var frameCount = 0
    private var exact: ExactColorAnalyzer

    init(_ size: PixelSize, maxColors: Int) {
        self.size = size
        step = max(1, size.pixelCount / Self.maxSamples)
        exact = ExactColorAnalyzer(maxColors: maxColors)
    }

    /// The number of scenes so far.
    var sceneCount: Int { finished.count + (frameCount > 0 ? 1 : 0) }

    /// The colors of each scene.
    var scenes: [[ColorHistogram.Entry]] {
        histogram.pixelCount > 0 || frameCount > 0 ? finished + [histogram.entries] : finished
    }

    /// All colors, if they fit in one palette.
    var allColors: [UInt32]? { exact.isExact ? exact.all : nil }

    /// Whether each frame's changes fit in a palette.
    var isExact: Bool { exact.isExact }

    /// Compares a row with that of the previous frame, while exact palettes are possible.
    mutating func compare(
        _ row: UnsafePointer<UInt32>, with old: UnsafePointer<UInt32>, count: Int, isFirst: Bool
    ) {
        exact.compare(row, with: old, count: count, isFirst: isFirst)
    }

    /// Counts a frame, all of whose rows have been compared.
    mutating func add(_ pixels: UnsafePointer<UInt32>) {
        exact.endFrame()
        count(pixels)
        if frameCount > 0, differs() {
            finished.append(histogram.entries)
            histogram.removeAll()
        }
        swap(&coarse, &lastCoarse)
        histogram.add(
            pixels, count: size.pixelCount, first: step > 1 ? frameCount * 7 % step : 0, step: step)
        frameCount += 1
    }

    /// Counts a frame equal to the previous one.
    mutating func addAgain() { exact.endFrame() }

    private mutating func count(_ pixels: UnsafePointer<UInt32>) {
        let stride = max(1, size.pixelCount / 8192)
        coarse.withUnsafeMutableBufferPointer { coarse in
            coarse.update(repeating: 0)
            var place = stride / 2
            while place < size.pixelCount {
                let pixel = pixels[place]
                let key = (pixel >> 4 & 0xF) << 8 | (pixel >> 12 & 0xF) << 4 | pixel >> 20 & 0xF
                coarse[Int(key)] += 1
                place += stride
            }
        }
    }

    private func differs() -> Bool {
        var difference: Int32 = 0
        var total: Int32 = 0
        for key in coarse.indices {
            difference += abs(coarse[key] - lastCoarse[key])
            total += coarse[key] + lastCoarse[key]
        }
        return Double(difference) > Double(total) * Self.cut
    }
}

/// Decides whether exact palettes are possible.
struct ExactColorAnalyzer {
    private let maxColors: Int
    private(set) var isExact = true
    private var union: ColorSet?
    private var changes = ColorSet()

    init(maxColors: Int) {
        self.maxColors = maxColors
        union = ColorSet()
    }

    /// All colors, or nil where they exceed one palette.
    var all: [UInt32]? { union?.colors }

    /// Collects the colors of a row's changed pixels.
    mutating func compare(
        _ row: UnsafePointer<UInt32>, with old: UnsafePointer<UInt32>, count: Int, isFirst: Bool
    ) {
        guard isExact, isFirst || memcmp(row, old, count * 4) != 0 else { return }
        for x in 0..<count where (isFirst || row[x] != old[x]) && row[x] != 0 {
            changes.insert(row[x])
            if changes.count > maxColors {
                isExact = false
                return
            }
        }
    }

    /// Ends a frame.
    mutating func endFrame() {
        guard isExact else { return }
        for color in changes.colors { union?.insert(color) }
        if let count = union?.count, count > maxColors { union = nil }
        changes.removeAll()
    }
}
