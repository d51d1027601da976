internal import CKernels

extension SamplePlanes {
    /// Converts to RGBA8, rows `stride` bytes apart; without a converter by matrix and range alone.
    ///
    /// A matrix without luma weights counts as BT.601, and an unknown range as the narrow one. Subsampled
    /// chroma is sited at the left and blended between its samples, as browsers do in stills, or repeated,
    /// as they do in films. 4 to 8 ns per pixel.
    package func convert(
        by converter: ColorConverter?, blendsChroma: Bool, into rows: UnsafeMutableRawPointer,
        stride: Int
    ) {
        PlaneConversion(self, converter, blendsChroma: blendsChroma)
            .convert(into: rows, stride: stride)
    }
}

/// The rows of one conversion of planes.
private struct PlaneConversion {
    private let planes: SamplePlanes
    private let converter: ColorConverter?
    private let blendsChroma: Bool
    private let tables: ConversionTables?
    private var weights: ccolor_matrix
    /// How far samples of over 14 bits are shifted, so that blended chroma fits in 16 bits.
    private let shift: Int
    private let width: Int

    init(_ planes: SamplePlanes, _ converter: ColorConverter?, blendsChroma: Bool) {
        self.planes = planes
        self.blendsChroma = blendsChroma
        self.converter = converter
        if case .tables(_, let deep) = converter?.engine { tables = deep } else { tables = nil }
        shift = max(0, planes.depth - 14)
        width = planes.size.width
        weights = ccolor_matrix(
            planes.color.matrix, bits: planes.depth - shift,
            isFullRange: planes.color.isFullRange ?? false,
            steps: tables.map { Int($0.conversion.steps) } ?? 255 * 32)
    }

    func convert(into rows: UnsafeMutableRawPointer, stride: Int) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width * 5 + 16) { scratch in
            CodeRows.using(width) { codes in
                guard let start = scratch.baseAddress else { return }
                if planes.chroma == nil {
                    (start + width).update(
                        repeating: UInt16(clamping: weights.chroma_middle), count: width * 2)
                }
                for row in 0..<planes.size.height {
                    convert(row, start, codes, into: rows + row * stride)
                }
            }
        }
    }

    /// `scratch` has room for Y, U and V of full width, and for two rows of chroma.
    private func convert(
        _ row: Int, _ scratch: UnsafeMutablePointer<UInt16>, _ codes: CodeRows,
        into target: UnsafeMutableRawPointer
    ) {
        let (y, u, v) = (scratch, scratch + width, scratch + width * 2)
        load(planes.luma, row, width, into: y)
        if let chroma = planes.chroma {
            let spare = scratch + width * 3
            for (plane, line) in [(chroma.u, u), (chroma.v, v)] {
                expand(plane, row, spare, into: line)
            }
        }
        var weights = weights
        if planes.color.matrix == .identity {
            // Blended samples have two more bits.
            ccolor_scale(&weights, y, codes.green, width)
            weights.luma /= 4
            weights.luma_start *= 4
            ccolor_scale(&weights, u, codes.blue, width)
            ccolor_scale(&weights, v, codes.red, width)
        } else {
            ccolor_yuv_to_rgb(&weights, y, u, v, codes.red, codes.green, codes.blue, width)
        }
        if let alpha = planes.alpha {
            load(alpha, row, width, into: y)
            let most = (1 << (planes.depth - shift)) - 1
            for x in 0..<width {
                codes.alpha[x] = UInt8(clamping: (Int(y[x]) * 255 + most / 2) / most)
            }
        }
        write(codes, into: target.assumingMemoryBound(to: UInt32.self))
    }

    private func write(_ codes: CodeRows, into target: UnsafeMutablePointer<UInt32>) {
        let alpha = planes.alpha == nil ? nil : UnsafePointer(codes.alpha)
        if let tables {
            var conversion = tables.conversion
            ccolor_convert(
                &conversion, codes.red, codes.green, codes.blue, alpha, target, width)
        } else {
            ccolor_join8(codes.red, codes.green, codes.blue, alpha, target, width)
            converter?.convert(target, into: target, count: width)
        }
    }

    private func expand(
        _ plane: SamplePlanes.Plane, _ row: Int, _ spare: UnsafeMutablePointer<UInt16>,
        into line: UnsafeMutablePointer<UInt16>
    ) {
        let columns = planes.isHalfWidth ? (width + 1) / 2 : width
        if !blendsChroma {
            load(plane, planes.isHalfHeight ? row / 2 : row, columns, into: spare)
            return ccolor_repeat_chroma(spare, planes.isHalfWidth ? 1 : 0, line, width)
        }
        var (near, far) = (row, row)
        if planes.isHalfHeight {
            let count = (planes.size.height + 1) / 2
            near = row / 2
            far = max(0, min(count - 1, row % 2 == 0 ? near - 1 : near + 1))
        }
        load(plane, near, columns, into: spare)
        if far != near { load(plane, far, columns, into: spare + columns) }
        ccolor_expand_chroma(
            spare, far == near ? spare : spare + columns, planes.isHalfWidth ? 1 : 0, line, width)
    }

    private func load(
        _ plane: SamplePlanes.Plane, _ row: Int, _ count: Int,
        into line: UnsafeMutablePointer<UInt16>
    ) {
        let start = plane.start + row * plane.stride
        if planes.depth == 8 {
            ccolor_widen(start.assumingMemoryBound(to: UInt8.self), line, count)
        } else {
            let samples = start.assumingMemoryBound(to: UInt16.self)
            if shift == 0 {
                line.update(from: samples, count: count)
            } else {
                for x in 0..<count { line[x] = samples[x] >> shift }
            }
        }
    }
}

extension ccolor_matrix {
    /// The weights of a matrix for samples of some bits, chroma with two more of them.
    fileprivate init(
        _ matrix: MatrixCoefficients, bits: Int, isFullRange: Bool, steps: Int
    ) {
        self.init()
        let unit = Double(1 << (bits - 8))
        let most = Double((1 << bits) - 1)
        let scale = Double(steps) * 8192
        let lumaRange = isFullRange ? most : 219 * unit
        let chromaRange = (isFullRange ? most : 224 * unit) * 4
        func fixed(_ weight: Double, _ range: Double) -> Int32 {
            Int32((weight * scale / range).rounded())
        }
        self.steps = Int32(steps)
        luma = fixed(1, lumaRange)
        luma_start = isFullRange ? 0 : Int32(16 * unit)
        chroma_middle = Int32(512 * unit)
        if matrix == .ycgco {
            // U is the green difference, V the orange one (H.273, equations 44 to 46).
            (red_u, red_v) = (fixed(-1, chromaRange), fixed(1, chromaRange))
            green_u = fixed(1, chromaRange)
            (blue_u, blue_v) = (fixed(-1, chromaRange), fixed(-1, chromaRange))
            return
        }
        let (kr, kb) = matrix.redAndBlue ?? (0.299, 0.114)
        let kg = 1 - kr - kb
        red_v = fixed(2 * (1 - kr), chromaRange)
        blue_u = fixed(2 * (1 - kb), chromaRange)
        green_u = fixed(-2 * kb * (1 - kb) / kg, chromaRange)
        green_v = fixed(-2 * kr * (1 - kr) / kg, chromaRange)
    }
}
