internal import Glibc

/// A color histogram: 64 steps a channel, with the exact mean of each cell.
package struct ColorHistogram: ~Copyable {
    /// A color and its share of the clip.
    package struct Entry: Sendable {
        package var red: Float
        package var green: Float
        package var blue: Float
        package var weight: Float
        /// The cell it represents.
        var key: Int32
    }

    /// The sums of red, green and blue above the step's lower bound, and the number of pixels.
    ///
    /// Most never count anything, and their pages are never touched.
    private var cells = ColorHistogram.makeCells()
    /// Whether any of 256 cells, a page of memory, has counted something.
    private var isTouched = [Bool](repeating: false, count: ColorHistogram.cellCount >> 8)
    package private(set) var pixelCount = 0

    private static let cellCount = 1 << 18

    /// Makes an empty histogram.
    package init() {}

    deinit { free(cells) }

    private static func makeCells() -> UnsafeMutablePointer<SIMD4<UInt32>> {
        guard let memory = calloc(cellCount, MemoryLayout<SIMD4<UInt32>>.stride) else {
            fatalError("There is no memory to count colors.")
        }
        return memory.bindMemory(to: SIMD4<UInt32>.self, capacity: cellCount)
    }

    /// The cell of a pixel.
    @inlinable package static func key(_ pixel: UInt32) -> Int {
        let red = pixel << 10 & 0x3F000
        let green = pixel >> 4 & 0xFC0
        let blue = pixel >> 18 & 0x3F
        return Int(red | green | blue)
    }

    /// Counts pixels that are at least half opaque, every `step`th one.
    package mutating func add(
        _ pixels: UnsafePointer<UInt32>, count: Int, first: Int = 0, step: Int = 1
    ) {
        var seen = 0
        var position = first
        isTouched.withUnsafeMutableBufferPointer { isTouched in
            while position < count {
                let pixel = pixels[position]
                position += step
                guard pixel >= 0x8000_0000 else { continue }
                let key = Self.key(pixel)
                // The lowest bits of the three channels, and one pixel in the place of alpha.
                let parts = unsafeBitCast(pixel & 0x03_0303 | 1 << 24, to: SIMD4<UInt8>.self)
                cells[key] &+= SIMD4<UInt32>(truncatingIfNeeded: parts)
                isTouched[key >> 8] = true
                seen += 1
            }
        }
        pixelCount += seen
    }

    /// Removes all.
    package mutating func removeAll() {
        guard pixelCount > 0 else { return }
        free(cells)
        cells = Self.makeCells()
        isTouched = isTouched.map { _ in false }
        pixelCount = 0
    }

    /// The colors that occur.
    package var entries: [Entry] {
        let pages = isTouched.indices.filter { isTouched[$0] }
        var entries: [Entry] = []
        entries.reserveCapacity(min(pixelCount, pages.count << 8))
        for page in pages {
            for key in page << 8..<(page + 1) << 8 where cells[key].w > 0 {
                let cell = cells[key]
                let share = 1 / Float(cell.w)
                entries.append(
                    Entry(
                        red: Float(key >> 12) * 4 + Float(cell.x) * share,
                        green: Float(key >> 6 & 0x3F) * 4 + Float(cell.y) * share,
                        blue: Float(key & 0x3F) * 4 + Float(cell.z) * share,
                        weight: Float(cell.w), key: Int32(key)))
            }
        }
        return entries
    }

    /// The colors of several histograms together.
    package static func union(_ parts: [[Entry]]) -> [Entry] {
        guard parts.count > 1 else { return parts.first ?? [] }
        var sums = [SIMD4<Float>](repeating: .zero, count: 1 << 18)
        for entry in parts.joined() {
            let color = SIMD4(entry.red, entry.green, entry.blue, 1)
            sums[Int(entry.key)] += color * entry.weight
        }
        return sums.indices.compactMap { key in
            let sum = sums[key]
            guard sum.w > 0 else { return nil }
            return Entry(
                red: sum.x / sum.w, green: sum.y / sum.w, blue: sum.z / sum.w, weight: sum.w,
                key: Int32(key))
        }
    }

    /// Whether a few colors make up nearly all of the picture, as in drawings.
    package static func isFlat(_ entries: [Entry]) -> Bool {
        let weights = entries.map(\.weight).sorted(by: >)
        return weights.prefix(48).reduce(0, +) > 0.9 * weights.reduce(0, +)
    }
}
