internal import LazyMedia

/// Averages squares of samples before they are converted, as a small picture needs few of them.
///
/// The result has chroma at the size of luma.
struct PlaneReduction {
    /// The side of a square: a power of two.
    let factor: Int

    /// The largest side that leaves six samples for each wanted pixel, in both directions, and that
    /// divides all of these sides: the error of a square that lies across two pixels stays small.
    init?(from size: PixelSize, to wanted: PixelSize, dividing sides: [Int]) {
        var factor = 1
        while factor < 16, size.width / (factor * 12) >= wanted.width,
            size.height / (factor * 12) >= wanted.height,
            sides.allSatisfy({ $0 % (factor * 2) == 0 })
        {
            factor *= 2
        }
        guard factor > 1 else { return nil }
        self.factor = factor
    }

    /// Provides the averages of the upper left part of the planes to a closure.
    func reduce(
        _ planes: SamplePlanes, width: Int, height: Int, _ use: (SamplePlanes) -> Void
    ) {
        if planes.depth == 8 {
            reduce(planes, UInt8.self, width / factor, height / factor, use)
        } else {
            reduce(planes, UInt16.self, width / factor, height / factor, use)
        }
    }

    private func reduce<Sample: FixedWidthInteger & UnsignedInteger>(
        _ planes: SamplePlanes, _ type: Sample.Type, _ width: Int, _ height: Int,
        _ use: (SamplePlanes) -> Void
    ) {
        guard let size = PixelSize(checking: width, height) else { return }
        let count = size.pixelCount
        let memory = UnsafeMutablePointer<Sample>.allocate(capacity: count * 3)
        defer { memory.deallocate() }
        let bytes = MemoryLayout<Sample>.stride
        func plane(_ number: Int) -> SamplePlanes.Plane {
            SamplePlanes.Plane(memory + number * count, stride: width * bytes)
        }
        average(planes.luma, factor, factor, size, into: memory)
        var chroma: (u: SamplePlanes.Plane, v: SamplePlanes.Plane)?
        if let (u, v) = planes.chroma {
            let across = planes.isHalfWidth ? factor / 2 : factor
            let along = planes.isHalfHeight ? factor / 2 : factor
            average(u, across, along, size, into: memory + count)
            average(v, across, along, size, into: memory + 2 * count)
            chroma = (plane(1), plane(2))
        }
        use(
            SamplePlanes(
                size: size, depth: planes.depth, luma: plane(0), chroma: chroma,
                isHalfWidth: false, isHalfHeight: false, color: planes.color,
                isDamaged: planes.isDamaged))
    }

    /// Averages rectangles of samples of one plane.
    @inline(__always)
    private func average<Sample: FixedWidthInteger & UnsignedInteger>(
        _ plane: SamplePlanes.Plane, _ across: Int, _ along: Int, _ size: PixelSize,
        into target: UnsafeMutablePointer<Sample>
    ) {
        let columns = size.width * across
        let shift = UInt32((across * along).trailingZeroBitCount)
        let half = UInt32(across * along / 2)
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: columns * 2) { lines in
            guard var sum = lines.baseAddress else { return }
            var other = sum + columns
            for y in 0..<size.height {
                sum.update(repeating: 0, count: columns)
                for row in y * along..<(y + 1) * along {
                    let from = (plane.start + row * plane.stride)
                        .assumingMemoryBound(to: Sample.self)
                    for x in 0..<columns { sum[x] &+= UInt32(truncatingIfNeeded: from[x]) }
                }
                var count = columns
                while count > size.width {
                    count /= 2
                    for x in 0..<count { other[x] = sum[2 &* x] &+ sum[2 &* x &+ 1] }
                    swap(&sum, &other)
                }
                let line = target + y * size.width
                for x in 0..<size.width {
                    line[x] = Sample(truncatingIfNeeded: (sum[x] &+ half) &>> shift)
                }
            }
        }
    }
}
