internal import LazyMedia

/// The source pixels of each block of the canvas when it was coded last.
///
/// Frames are compared with this, not with the previous frame: slow changes add up until they are
/// coded, and errors cannot drift.
struct WebPReferencePlanes {
    /// How much a block may differ from its source to stay uncoded.
    struct Tolerance: Hashable, Sendable {
        /// The largest mean squared error.
        let most: Int
        /// The largest mean squared error as a share of the variance, in 1/4096.
        let share: Int
        /// The largest difference of one sample.
        let peak: Int

        /// The tolerance for a quantizer step, tuned on film at equal SSIM.
        ///
        /// Coding adds an error of about a twelfth of the step squared; the tolerance is a small
        /// part of that, smaller where the picture is smooth and a seam would be visible.
        init(step: Double) {
            let most = step * step / 45
            self.most = Int(most.rounded(.down))
            share = Int(most * 0.003 * 4096)
            peak = Int(step)
        }

        /// The largest mean squared error of a block.
        ///
        /// A constant is added to the variance for invisible differences in smooth areas.
        func bound(variance: Int) -> Int { min(most, ((variance + 58) * share) >> 12) }
    }

    private static let side = WebPBlocks.side

    private let tolerance: Tolerance
    private let size: PixelSize
    private let layout: PlanarPicture.Layout
    private var held: [UInt8]

    /// Begins with a picture that was coded completely.
    init(_ picture: PlanarPicture, _ tolerance: Tolerance) {
        self.tolerance = tolerance
        size = picture.size
        layout = picture.layout
        held = picture.withBytes { Array($0) }
    }

    /// Finds the blocks of a picture that must be coded, and keeps them as reference.
    mutating func update(_ picture: PlanarPicture) -> WebPBlocks {
        var blocks = WebPBlocks(size, all: false)
        var held: [UInt8] = []
        swap(&held, &self.held)
        defer { swap(&held, &self.held) }
        picture.withBytes { bytes in
            held.withUnsafeMutableBufferPointer { held in
                guard let new = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    let old = held.baseAddress
                else { return }
                for row in 0..<blocks.rows {
                    for column in 0..<blocks.columns where isChanged(new, old, column, row) {
                        blocks.code(column: column, row: row)
                        hold(new, old, column, row)
                    }
                }
            }
        }
        return blocks
    }

    private func isChanged(
        _ new: UnsafePointer<UInt8>, _ old: UnsafePointer<UInt8>, _ column: Int, _ row: Int
    ) -> Bool {
        let (x, y) = (column * Self.side, row * Self.side)
        let (width, height) = (min(Self.side, size.width - x), min(Self.side, size.height - y))
        var sums = Sums()
        for line in y..<y + height {
            let offset = line * size.width + x
            sums.add(new + offset, old + offset, width)
        }
        let count = width * height
        // Equal luma: chroma decides.
        if sums.isEqual { return isChromaChanged(new, old, x, y, width, height, bound: 0) }
        guard sums.peak <= tolerance.peak else { return true }
        let mean = Int(sums.sum) / count
        let variance = max(0, Int(sums.squares) / count - mean * mean)
        let bound = tolerance.bound(variance: variance)
        guard Int(sums.error) <= bound * count else { return true }
        return isChromaChanged(new, old, x, y, width, height, bound: bound)
    }

    private func isChromaChanged(
        _ new: UnsafePointer<UInt8>, _ old: UnsafePointer<UInt8>, _ x: Int, _ y: Int,
        _ width: Int, _ height: Int, bound: Int
    ) -> Bool {
        let (columns, lines) = ((width + 1) / 2, (height + 1) / 2)
        let bound = max(bound, tolerance.bound(variance: 0)) / 2
        for plane in [layout.u, layout.v] {
            var sums = Sums()
            for line in y / 2..<y / 2 + lines {
                let offset = plane + line * layout.chromaWidth + x / 2
                sums.add(new + offset, old + offset, columns)
            }
            guard sums.peak <= tolerance.peak, Int(sums.error) <= bound * columns * lines
            else { return true }
        }
        return false
    }

    private func hold(
        _ new: UnsafePointer<UInt8>, _ old: UnsafeMutablePointer<UInt8>, _ column: Int, _ row: Int
    ) {
        let (x, y) = (column * Self.side, row * Self.side)
        let (width, height) = (min(Self.side, size.width - x), min(Self.side, size.height - y))
        for line in y..<y + height {
            let offset = line * size.width + x
            (old + offset).update(from: new + offset, count: width)
        }
        for plane in [layout.u, layout.v] {
            for line in y / 2..<(y + height + 1) / 2 {
                let offset = plane + line * layout.chromaWidth + x / 2
                (old + offset).update(from: new + offset, count: (width + 1) / 2)
            }
        }
    }
}

/// Sums over a block's samples, of the differences and of the new picture.
private struct Sums {
    private(set) var error: Int32 = 0
    private(set) var sum: Int32 = 0
    private(set) var squares: Int32 = 0
    private var largest: Int32 = 0

    var peak: Int { Int(largest) }
    var isEqual: Bool { largest == 0 }

    @inline(__always)
    mutating func add(_ new: UnsafePointer<UInt8>, _ old: UnsafePointer<UInt8>, _ count: Int) {
        if count == 16 { addLine(new, old, 16) } else { addLine(new, old, count) }
    }

    @inline(__always)
    private mutating func addLine(
        _ new: UnsafePointer<UInt8>, _ old: UnsafePointer<UInt8>, _ count: Int
    ) {
        var (error, sum, squares, largest) = (error, sum, squares, largest)
        for x in 0..<count {
            let value = Int32(new[x])
            let difference = value &- Int32(old[x])
            error &+= difference &* difference
            sum &+= value
            squares &+= value &* value
            largest = max(largest, max(difference, 0 &- difference))
        }
        (self.error, self.sum, self.squares, self.largest) = (error, sum, squares, largest)
    }
}
