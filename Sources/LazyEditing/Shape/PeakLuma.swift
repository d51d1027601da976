internal import LazyMedia

/// The brightest luma that each pixel has in several pictures of one size, to find black bars.
struct PeakLuma {
    private let size: PixelSize
    private var peaks: [UInt8]
    /// The number of pictures.
    private(set) var count = 0

    init(_ size: PixelSize) {
        self.size = size
        peaks = [UInt8](repeating: 0, count: size.pixelCount)
    }

    /// Adds a picture; transparent pixels are no part of a bar.
    mutating func add(_ bitmap: Bitmap) {
        guard bitmap.size == size else { return }
        count += 1
        bitmap.withBytes { bytes in
            let pixels = bytes.bindMemory(to: Pixel.self)
            peaks.withUnsafeMutableBufferPointer { peaks in
                for place in peaks.indices {
                    let pixel = pixels[place]
                    let luma = (UInt32(pixel.x) * 54 + UInt32(pixel.y) * 183 + UInt32(pixel.z) * 19)
                    let shown = pixel.w < 128 ? 255 : UInt8(truncatingIfNeeded: luma >> 8)
                    peaks[place] = max(peaks[place], shown)
                }
            }
        }
    }

    /// The picture inside of black bars, or nil where there is none.
    ///
    /// Bars come in pairs: at the top and bottom, or at both sides. A bar is black throughout, and
    /// at least half of its edge is a step to something brighter. In a dark picture, on which
    /// something bright is seen here and there, there is no such edge.
    var inner: PixelRect? {
        var rect = PixelRect(size)
        let rows = bars(0..<size.height) { row in
            (0..<size.width).allSatisfy { luma($0, row) <= Self.black }
        }
        if let rows, isEdge(rows.lowerBound, 1, { self.luma($1, $0) }, size.width, size.height),
            isEdge(rows.upperBound - 1, -1, { self.luma($1, $0) }, size.width, size.height)
        {
            (rect.y, rect.height) = (rows.lowerBound, rows.count)
        }
        let columns = bars(0..<size.width) { column in
            (rect.y..<rect.bottom).allSatisfy { luma(column, $0) <= Self.black }
        }
        let top = rect.y
        if let columns,
            isEdge(columns.lowerBound, 1, { luma($0, top + $1) }, rect.height, size.width),
            isEdge(columns.upperBound - 1, -1, { luma($0, top + $1) }, rect.height, size.width)
        {
            (rect.x, rect.width) = (columns.lowerBound, columns.count)
        }
        return rect == PixelRect(size) ? nil : rect
    }

    /// As ffmpeg's `cropdetect`.
    private static let black: UInt8 = 24
    private static let step: UInt8 = 16

    private func luma(_ x: Int, _ y: Int) -> UInt8 { peaks[y * size.width + x] }

    /// The lines between two bars of about the same width, or nil.
    private func bars(_ lines: Range<Int>, isBlack: (Int) -> Bool) -> Range<Int>? {
        guard let first = lines.first(where: { !isBlack($0) }),
            let last = lines.last(where: { !isBlack($0) })
        else { return nil }
        let (before, after) = (first, lines.upperBound - 1 - last)
        guard before > 0, after > 0, abs(before - after) <= max(4, max(before, after) / 5) else {
            return nil
        }
        return first..<(last + 1)
    }

    /// Whether at least half of a line is brighter than the bar outside of it.
    ///
    /// The line after the first is asked too: where a film was scaled, the first is half black.
    private func isEdge(
        _ line: Int, _ inward: Int, _ luma: (_ line: Int, _ place: Int) -> UInt8, _ length: Int,
        _ lines: Int
    ) -> Bool {
        let (outside, inside) = (line - inward, line + inward)
        guard (0..<lines).contains(outside), (0..<lines).contains(inside) else { return false }
        let bright = (0..<length).count { place in
            let bar = luma(outside, place)
            return max(luma(line, place), luma(inside, place)) >= bar.addingSaturating(Self.step)
        }
        return bright * 2 >= length
    }
}

extension UInt8 {
    fileprivate func addingSaturating(_ other: UInt8) -> UInt8 {
        let (sum, isTooFar) = addingReportingOverflow(other)
        return isTooFar ? .max : sum
    }
}
