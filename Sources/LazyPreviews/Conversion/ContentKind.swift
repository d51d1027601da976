public import LazyMedia

/// What pictures are of, as far as it decides how they are best written.
public enum ContentKind: String, Hashable, Sendable {
    /// Areas of one color with sharp edges: drawings, pixel art, diagrams, screens.
    case flatArt = "flat-art"
    /// Shades and texture: photographs, film, and what was dithered out of them.
    case photographic
}

/// How the pixels of pictures differ from their neighbors; sums, so that pictures can be added.
public struct ContentStatistics: Hashable, Sendable {
    /// Pixels that were looked at.
    public private(set) var count = 0
    /// Pixels that are equal to the one to the left and the one above.
    public private(set) var equal = 0
    /// Pixels that differ from those by at most 24 in each channel: shades, noise and texture.
    public private(set) var soft = 0
    private var isBlank = false

    /// Statistics of no picture.
    public init() {}

    /// Adds a picture; costs one pass over it.
    ///
    /// A picture of one color is left out, unless there is no other.
    public mutating func add(_ bitmap: Bitmap) {
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        guard width > 1, height > 1 else { return }
        var (equal, soft) = (0, 0)
        bitmap.withBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for y in 1..<height {
                let row = start + y * bitmap.stride
                let (e, s) = Self.compare(row, row - bitmap.stride, width)
                equal += e
                soft += s
            }
        }
        let count = (width - 1) * (height - 1)
        guard equal < count else {
            isBlank = true
            return
        }
        self.count += count
        self.equal += equal
        self.soft += soft
    }

    /// What these pictures are of; nil where nothing was to be seen in them.
    ///
    /// Flat art has at least 55 % of its pixels in areas of one color and at most 10 % in shades.
    /// The shares of 60 files of test suites and four clips lie well apart: drawings have 0 to 9 %
    /// shades, film and dithered film 37 to 55 %.
    public var kind: ContentKind? {
        guard count > 0 else { return isBlank ? .flatArt : nil }
        let (flat, shades) = (Double(equal) / Double(count), Double(soft) / Double(count))
        return flat >= 0.55 && shades <= 0.10 ? .flatArt : .photographic
    }

    private static func compare(
        _ row: UnsafeRawPointer, _ above: UnsafeRawPointer, _ width: Int
    ) -> (equal: Int, soft: Int) {
        let pixels = row.assumingMemoryBound(to: UInt32.self)
        let upper = above.assumingMemoryBound(to: UInt32.self)
        var (equal, soft) = (0, 0)
        for x in 1..<width {
            let (pixel, left, top) = (pixels[x], pixels[x - 1], upper[x])
            if pixel == left, pixel == top {
                equal += 1
            } else if max(distance(pixel, left), distance(pixel, top)) <= 24 {
                soft += 1
            }
        }
        return (equal, soft)
    }

    // The greatest difference in a channel.
    @inline(__always)
    private static func distance(_ one: UInt32, _ other: UInt32) -> Int32 {
        var most: Int32 = 0
        var shift: UInt32 = 0
        while shift < 32 {
            let a = Int32(truncatingIfNeeded: one &>> shift & 0xFF)
            let b = Int32(truncatingIfNeeded: other &>> shift & 0xFF)
            most = max(most, abs(a &- b))
            shift &+= 8
        }
        return most
    }
}

extension FrameSequence {
    /// What the pictures are of, told by a few of the first frames; nil where they show nothing.
    ///
    /// Film says nothing here: what a lossy codec made of flat art is flat no more. Costs the decoding
    /// of the first two dozen frames.
    public func contentKind() async throws(MediaError) -> ContentKind? {
        try await glance().kind
    }

    /// What a look at a few of the first frames tells.
    func glance() async throws(MediaError) -> ContentGlance {
        let sequence = self
        return try await cancellable { (flag) throws(MediaError) in
            var options = ReaderOptions(limits: sequence.limits, delayRule: sequence.delayRule)
            options.cancellation = flag
            let reader = try sequence.makeReader(options)
            var glance = ContentGlance()
            for number in 0...24 {
                guard let frame = try reader.nextFrame() else { break }
                if [0, 4, 12, 24].contains(number) { glance.add(frame.bitmap) }
            }
            return glance
        }
    }
}

/// What a look at some frames tells about all of them.
struct ContentGlance: Sendable {
    private var statistics = ContentStatistics()
    /// Whether there was a pixel that is not opaque.
    private(set) var hasTransparency = false
    /// Whether there was a pixel that is neither opaque nor invisible.
    private(set) var hasTranslucency = false
    /// How surely the most dithered of the pictures is dithered, 0 to 1.
    ///
    /// One strength for all frames: one of its own for each would flicker.
    private(set) var dithering = 0.0

    /// What the pictures are of.
    var kind: ContentKind? { statistics.kind }

    mutating func add(_ bitmap: Bitmap) {
        statistics.add(bitmap)
        dithering = max(dithering, Undither.detect(bitmap))
        guard !bitmap.isOpaque, !hasTranslucency else { return }
        bitmap.withBytes { bytes in
            for place in stride(from: 3, to: bytes.count, by: 4) where bytes[place] != 255 {
                hasTransparency = true
                guard bytes[place] == 0 else {
                    hasTranslucency = true
                    return
                }
            }
        }
    }
}
