internal import CKernels

extension SamplePlanes {
    /// Converts to RGBA16 of the full range by matrix and range alone, rows `stride` bytes apart.
    ///
    /// The samples keep their primaries and transfer. Subsampled chroma is sited at the left and blended
    /// between its samples, or repeated. A matrix without luma weights counts as BT.601, and an unknown
    /// range as the narrow one. About 4 ns per pixel.
    package func writeDeep(
        blendsChroma: Bool, into rows: UnsafeMutableRawPointer, stride: Int
    ) {
        DeepConversion(self, blendsChroma: blendsChroma).write(into: rows, stride: stride)
    }
}

/// The rows of one conversion of planes to RGBA16.
private struct DeepConversion {
    private let planes: SamplePlanes
    private let blendsChroma: Bool
    private let width: Int
    private var matrix: ccolor_deep_matrix
    private var alpha = ccolor_deep_matrix()

    init(_ planes: SamplePlanes, blendsChroma: Bool) {
        self.planes = planes
        self.blendsChroma = blendsChroma
        width = planes.size.width
        matrix = ccolor_deep_matrix(
            planes.color.matrix, depth: planes.depth,
            isFullRange: planes.color.isFullRange ?? false)
        alpha.luma = ccolor_deep_matrix.fixed(1, Double((1 << planes.depth) - 1))
    }

    func write(into rows: UnsafeMutableRawPointer, stride: Int) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width * 2) { samples in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: width * 2) { chroma in
                guard let line = samples.baseAddress, let wide = chroma.baseAddress else { return }
                for row in 0..<planes.size.height {
                    let target = (rows + row * stride).assumingMemoryBound(to: UInt16.self)
                    write(row, line, wide, into: target)
                }
            }
        }
    }

    /// `line` has room for two rows of samples, `wide` for two rows of chroma.
    private func write(
        _ row: Int, _ line: UnsafeMutablePointer<UInt16>, _ wide: UnsafeMutablePointer<Int32>,
        into target: UnsafeMutablePointer<UInt16>
    ) {
        var (matrix, alpha) = (matrix, alpha)
        guard let chroma = planes.chroma else {
            load(planes.luma, row, width, into: line)
            for channel in 0..<3 { ccolor_scale16(&matrix, line, target + channel, width) }
            return writeAlpha(row, line, &alpha, into: target + 3)
        }
        if planes.color.matrix == .identity {
            for (plane, channel) in [(chroma.v, 0), (planes.luma, 1), (chroma.u, 2)] {
                load(plane, row, width, into: line)
                ccolor_scale16(&matrix, line, target + channel, width)
            }
        } else {
            expand(chroma.u, row, line, into: wide)
            expand(chroma.v, row, line, into: wide + width)
            load(planes.luma, row, width, into: line)
            ccolor_yuv_to_rgba16(&matrix, line, wide, wide + width, target, width)
            if planes.alpha == nil { return }
        }
        writeAlpha(row, line, &alpha, into: target + 3)
    }

    private func writeAlpha(
        _ row: Int, _ line: UnsafeMutablePointer<UInt16>, _ scale: inout ccolor_deep_matrix,
        into target: UnsafeMutablePointer<UInt16>
    ) {
        guard let plane = planes.alpha else {
            for x in 0..<width { target[x * 4] = 65535 }
            return
        }
        load(plane, row, width, into: line)
        ccolor_scale16(&scale, line, target, width)
    }

    private func expand(
        _ plane: SamplePlanes.Plane, _ row: Int, _ spare: UnsafeMutablePointer<UInt16>,
        into line: UnsafeMutablePointer<Int32>
    ) {
        let columns = planes.isHalfWidth ? (width + 1) / 2 : width
        var (near, far) = (row, row)
        if planes.isHalfHeight {
            let count = (planes.size.height + 1) / 2
            near = row / 2
            far = !blendsChroma ? near : max(0, min(count - 1, row % 2 == 0 ? near - 1 : near + 1))
        }
        load(plane, near, columns, into: spare)
        if far != near { load(plane, far, columns, into: spare + columns) }
        ccolor_expand_deep_chroma(
            spare, far == near ? spare : spare + columns, planes.isHalfWidth ? 1 : 0,
            blendsChroma ? 1 : 0, line, width)
    }

    private func load(
        _ plane: SamplePlanes.Plane, _ row: Int, _ count: Int,
        into line: UnsafeMutablePointer<UInt16>
    ) {
        let start = plane.start + row * plane.stride
        if planes.depth == 8 {
            ccolor_widen(start.assumingMemoryBound(to: UInt8.self), line, count)
        } else {
            line.update(from: start.assumingMemoryBound(to: UInt16.self), count: count)
        }
    }
}

extension ccolor_deep_matrix {
    /// A weight for a range of samples, as the kernels read it.
    fileprivate static func fixed(_ weight: Double, _ range: Double) -> Int64 {
        Int64((weight * 65535 * Double(1 << 28) / range).rounded())
    }

    /// The weights of a matrix for samples of some bits, chroma with three more of them.
    fileprivate init(_ matrix: MatrixCoefficients, depth: Int, isFullRange: Bool) {
        self.init()
        let unit = Double(1 << (depth - 8))
        let most = Double((1 << depth) - 1)
        let range = (isFullRange ? most : 224 * unit) * 8
        luma = Self.fixed(1, isFullRange ? most : 219 * unit)
        luma_start = isFullRange ? 0 : Int32(16 * unit)
        chroma_middle = Int32(128 * 8 * unit)
        if matrix == .ycgco {
            // U is the green difference, V the orange one (H.273, equations 44 to 46).
            (red_u, red_v) = (Self.fixed(-1, range), Self.fixed(1, range))
            green_u = Self.fixed(1, range)
            (blue_u, blue_v) = (Self.fixed(-1, range), Self.fixed(-1, range))
            return
        }
        let (kr, kb) = matrix.redAndBlue ?? (0.299, 0.114)
        let kg = 1 - kr - kb
        red_v = Self.fixed(2 * (1 - kr), range)
        blue_u = Self.fixed(2 * (1 - kb), range)
        green_u = Self.fixed(-2 * kb * (1 - kb) / kg, range)
        green_v = Self.fixed(-2 * kr * (1 - kr) / kg, range)
    }
}
