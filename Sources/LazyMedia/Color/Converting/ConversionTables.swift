internal import CKernels
internal import Glibc

/// The tables and matrices of one conversion to sRGB, as the kernels read them.
///
/// Unchecked: the memory is written by the initializer and only read afterwards.
final class ConversionTables: @unchecked Sendable {
    /// The kernels' view; valid as long as this object.
    private(set) var conversion: ccolor_conversion
    private var memory: [UnsafeMutablePointer<Float>] = []

    /// Codes of more than 8 bits are rounded to 14: finer steps do not show in 8 bits of sRGB.
    static let deepSteps = 16384

    deinit { for block in memory { block.deallocate() } }

    /// Makes tables of curves for codes from 0 to `steps`, and a matrix to linear sRGB.
    init(_ curves: [TransferCurve], _ matrix: ColorMatrix, steps: Int) {
        conversion = Self.empty
        conversion.steps = Int32(steps)
        setMatrices(wide: .identity, matrix)
        let tables = curves.map { curve in
            table(steps) { Float(curve.light(Double($0) / Double(steps))) }
        }
        setLight(tables)
    }

    /// Makes tables of PQ or HLG for codes from 0 to `steps`.
    init(
        hdr curve: TransferCurve, _ primaries: Chromaticities, peak: Double, _ mapping: ToneMapping,
        steps: Int
    ) {
        conversion = Self.empty
        conversion.steps = Int32(steps)
        let tone = ToneCurve(mapping, peak: peak)
        let toWide = Self.matrix(from: primaries, to: .bt2020)
        setMatrices(wide: toWide, Self.matrix(from: .bt2020, to: .bt709))
        setLight([table(steps) { Float(curve.light(Double($0) / Double(steps))) }])
        if curve == .pq, primaries == .bt2020 {
            conversion.kind = CCOLOR_GAIN_BY_CODE
            let gain = table(steps) { Float(tone.gain(curve.light(Double($0) / Double(steps)))) }
            conversion.gain = UnsafePointer(gain)
        } else {
            conversion.kind = curve == .hlg ? CCOLOR_HLG : CCOLOR_GAIN_BY_LIGHT
            // A matrix between primaries can raise the largest channel a little.
            let most = 1.2 * (curve == .hlg ? 1000 : 10_000) / TransferCurve.referenceWhite
            conversion.most_light = Float(most)
            let gain = byLight { Float(tone.gain($0 * most)) }
            conversion.gain = UnsafePointer(gain)
            let systemGamma = byLight {
                Float(pow($0, 0.2) * 1000 / TransferCurve.referenceWhite)
            }
            conversion.system_gamma = UnsafePointer(systemGamma)
        }
    }

    /// From linear light of some primaries to that of others.
    static func matrix(from source: Chromaticities, to target: Chromaticities) -> ColorMatrix {
        guard source != target, let from = ColorMatrix(source),
            let inverse = ColorMatrix(target)?.inverse
        else { return .identity }
        return inverse * from
    }

    private static var empty: ccolor_conversion {
        var conversion = ccolor_conversion()
        conversion.kind = CCOLOR_PLAIN
        conversion.most_light = 1
        conversion.output = output.pointer
        return conversion
    }

    /// sRGB codes by the square root of light; made once for the process.
    private static let output = OutputTable()

    private func setMatrices(wide: ColorMatrix, _ matrix: ColorMatrix) {
        withUnsafeMutableBytes(of: &conversion.wide) { $0.copyBytes(from: wide.bytes) }
        withUnsafeMutableBytes(of: &conversion.matrix) { $0.copyBytes(from: matrix.bytes) }
    }

    private func setLight(_ tables: [UnsafeMutablePointer<Float>]) {
        guard let first = tables.first, let last = tables.last else { return }
        conversion.light = (
            UnsafePointer(first), UnsafePointer(tables.count == 3 ? tables[1] : first),
            UnsafePointer(last)
        )
    }

    private func table(_ steps: Int, _ value: (Int) -> Float) -> UnsafeMutablePointer<Float> {
        let table = UnsafeMutablePointer<Float>.allocate(capacity: steps + 1)
        memory.append(table)
        for index in 0...steps { table[index] = value(index) }
        return table
    }

    private func byLight(_ value: (Double) -> Float) -> UnsafeMutablePointer<Float> {
        let steps = Int(CCOLOR_LIGHT_STEPS)
        return table(steps) { index in
            let root = Double(index) / Double(steps)
            return value(root * root)
        }
    }
}

/// sRGB codes by the square root of light.
///
/// Unchecked: written once, then only read; never freed.
private final class OutputTable: @unchecked Sendable {
    let pointer: UnsafePointer<Int32>

    init() {
        let steps = Int(CCOLOR_OUTPUT_STEPS)
        let table = UnsafeMutablePointer<Int32>.allocate(capacity: steps + 1)
        for index in 0...steps {
            let root = Double(index) / Double(steps)
            table[index] = Int32((255 * TransferCurve.encodedSRGB(root * root)).rounded())
        }
        pointer = UnsafePointer(table)
    }
}

extension ColorMatrix {
    fileprivate var bytes: [UInt8] {
        elements.withUnsafeBytes { Array($0) }
    }
}
