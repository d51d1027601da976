internal import Glibc
internal import LazyMedia

/// The frames of a segment of a clip that wait for their palette.
///
/// Each is kept as the rectangle that differs from the one before, in memory and behind a bound in
/// a unnamed temporary file. What statistics need is counted on the way.
final class GIFFrameStore {
    /// A frame that waits.
    struct Entry {
        var rect: PixelRect
        var offset: Int
        var delay: Int
        var scene: Int
    }

    /// The most bytes of pixels in memory, and in a segment.
    private static let maxInMemory = 8 << 20
    private static let maxBytes = 512 << 20
    /// The most bytes of a segment that must hold the whole clip.
    private static let maxOfClip = 2 << 30
    private static let maxScenes = 64

    let size: PixelSize
    private(set) var entries: [Entry] = []
    private(set) var colors: PaletteAnalyzer
    private let canvas: PixelMemory<UInt32>
    private let line: PixelMemory<UInt32>
    private var spool = Spool(maxInMemory: maxInMemory)
    private let matte: PixelColor?
    private let isBounded: Bool

    /// Makes an empty store; an unbounded one is full only where the clip is too large.
    init(
        _ size: PixelSize, matte: PixelColor?, maxColors: Int, isBounded: Bool
    ) throws(MediaError) {
        self.size = size
        self.matte = matte
        self.isBounded = isBounded
        canvas = try PixelMemory(size)
        line = try PixelMemory(PixelSize(width: size.width, height: 1))
        colors = PaletteAnalyzer(size, maxColors: maxColors)
    }

    /// Whether its frames should be written before more are added.
    var isFull: Bool {
        spool.count >= (isBounded ? Self.maxBytes : Self.maxOfClip)
            || isBounded && colors.sceneCount >= Self.maxScenes
    }

    /// Adds a frame; an equal one only lengthens the last.
    func add(_ bitmap: Bitmap, delay: Int) throws(MediaError) {
        let isFirst = entries.isEmpty
        let changed = bitmap.withBytes { take($0, isOpaque: bitmap.isOpaque, isFirst: isFirst) }
        if changed.isEmpty, !isFirst {
            entries[entries.count - 1].delay += delay
            colors.addAgain()
            return
        }
        colors.add(canvas.values)
        entries.append(
            Entry(
                rect: changed, offset: spool.count, delay: delay, scene: colors.sceneCount - 1))
        for y in changed.y..<changed.bottom {
            let row = canvas.values + y * size.width + changed.x
            try spool.append(UnsafeRawBufferPointer(start: row, count: changed.width * 4))
        }
    }

    /// Reads a frame's pixels into `canvas`, which holds the previous frame.
    func read(_ entry: Entry, into canvas: PixelMemory<UInt32>) throws(MediaError) {
        if entry.rect.width == size.width {
            let rows = UnsafeMutableRawBufferPointer(
                start: canvas.values + entry.rect.y * size.width,
                count: entry.rect.pixelCount * 4)
            return try spool.read(at: entry.offset, into: rows)
        }
        for y in 0..<entry.rect.height {
            let row = canvas.values + (entry.rect.y + y) * size.width + entry.rect.x
            try spool.read(
                at: entry.offset + y * entry.rect.width * 4,
                into: UnsafeMutableRawBufferPointer(start: row, count: entry.rect.width * 4))
        }
    }

    /// Updates the canvas to a picture and returns the changed rectangle.
    private func take(
        _ bytes: UnsafeRawBufferPointer, isOpaque: Bool, isFirst: Bool
    ) -> PixelRect {
        var bounds = ChangeBounds()
        let source = bytes.bindMemory(to: UInt32.self)
        guard let first = source.baseAddress else { return .empty }
        for y in 0..<size.height {
            var row = first + y * size.width
            if !isOpaque {
                flatten(row)
                row = UnsafePointer(line.values)
            }
            let kept = canvas.values + y * size.width
            colors.compare(row, with: kept, count: size.width, isFirst: isFirst)
            guard memcmp(row, kept, size.width * 4) != 0 || isFirst else { continue }
            var left = 0
            var right = size.width - 1
            if !isFirst {
                while row[left] == kept[left] { left += 1 }
                while row[right] == kept[right] { right -= 1 }
            }
            bounds.add(left, y)
            bounds.add(right, y)
            kept.update(from: row, count: size.width)
        }
        return bounds.rect
    }

    /// Makes a row's pixels opaque, or 0 where they are more than half transparent.
    private func flatten(_ row: UnsafePointer<UInt32>) {
        for x in 0..<size.width {
            let pixel = row[x]
            let alpha = pixel >> 24
            line.values[x] =
                alpha < 128
                ? 0 : matte.map { Self.blend(pixel, alpha, over: $0) } ?? pixel | 0xFF00_0000
        }
    }

    private static func blend(_ pixel: UInt32, _ alpha: UInt32, over color: PixelColor) -> UInt32 {
        func mix(_ value: UInt32, _ below: UInt8) -> UInt32 {
            (value * alpha + UInt32(below) * (255 - alpha) + 127) / 255
        }
        return 0xFF00_0000 | mix(pixel & 0xFF, color.red)
            | mix(pixel >> 8 & 0xFF, color.green) << 8
            | mix(pixel >> 16 & 0xFF, color.blue) << 16
    }
}
