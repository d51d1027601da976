internal import Glibc

/// A matrix of three rows, in row order.
struct ColorMatrix: Equatable {
    var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        rows = (first, second, third)
    }

    static let identity = ColorMatrix([1, 0, 0], [0, 1, 0], [0, 0, 1])

    static func == (left: Self, right: Self) -> Bool { left.rows == right.rows }

    static func * (left: Self, right: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            (left.rows.0 * right).sum(), (left.rows.1 * right).sum(), (left.rows.2 * right).sum())
    }

    static func * (left: Self, right: Self) -> Self {
        let columns = right.transposed.rows
        let products = (left * columns.0, left * columns.1, left * columns.2)
        return ColorMatrix(products.0, products.1, products.2).transposed
    }

    var transposed: Self {
        let (a, b, c) = rows
        return ColorMatrix([a.x, b.x, c.x], [a.y, b.y, c.y], [a.z, b.z, c.z])
    }

    /// The inverse, or nil for a singular matrix.
    var inverse: Self? {
        let (a, b, c) = rows
        let cofactors = ColorMatrix(Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
        let determinant = (a * cofactors.rows.0).sum()
        guard abs(determinant) > 1e-12 else { return nil }
        let (x, y, z) = cofactors.transposed.rows
        return ColorMatrix(x / determinant, y / determinant, z / determinant)
    }

    /// The largest difference of an element.
    func distance(to other: Self) -> Double {
        func most(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
            let difference = a - b
            return max(abs(difference.x), abs(difference.y), abs(difference.z))
        }
        return max(
            most(rows.0, other.rows.0), most(rows.1, other.rows.1), most(rows.2, other.rows.2))
    }

    /// The elements as the kernels take them.
    var elements: [Float] {
        [rows.0, rows.1, rows.2].flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}

extension ColorMatrix {
    /// From linear RGB of primaries to CIE XYZ of the connection space's white, D50.
    ///
    /// The white is adapted by Bradford's transform (ICC.1:2010, annex E). Nil where the primaries
    /// span no space.
    init?(_ primaries: Chromaticities) {
        func xyz(_ point: SIMD2<Double>) -> SIMD3<Double>? {
            guard point.y > 1e-6, point.x >= 0, point.x <= 1, point.y <= 1 else { return nil }
            return SIMD3(point.x / point.y, 1, (1 - point.x - point.y) / point.y)
        }
        guard let red = xyz(primaries.red), let green = xyz(primaries.green),
            let blue = xyz(primaries.blue), let white = xyz(primaries.white)
        else { return nil }
        let columns = ColorMatrix(red, green, blue).transposed
        guard let inverse = columns.inverse else { return nil }
        let weights = inverse * white
        let scaled = ColorMatrix(red * weights.x, green * weights.y, blue * weights.z).transposed
        guard let bradfordInverse = Self.bradford.inverse else { return nil }
        let (from, to) = (Self.bradford * white, Self.bradford * Self.d50)
        let gains = to / from
        let adaptation =
            bradfordInverse
            * ColorMatrix([gains.x, 0, 0], [0, gains.y, 0], [0, 0, gains.z]) * Self.bradford
        self = adaptation * scaled
    }

    /// From XYZ of D50 to linear sRGB.
    static let toSRGB: ColorMatrix =
        ColorMatrix(Chromaticities.bt709).flatMap(\.inverse) ?? .identity

    /// The white of the connection space.
    static let d50 = SIMD3(0.9642, 1, 0.8249)

    private static let bradford = ColorMatrix(
        [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
}

extension Chromaticities {
    private static let d65 = SIMD2(0.3127, 0.3290)

    static let bt709 = Chromaticities(
        red: [0.640, 0.330], green: [0.300, 0.600], blue: [0.150, 0.060], white: d65)
    static let bt2020 = Chromaticities(
        red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046], white: d65)

    /// The chromaticities of a code point (ITU-T H.273, table 2), or nil where it names none.
    package init?(_ primaries: ColorPrimaries) {
        switch primaries {
        case .bt709: self = .bt709
        case .bt2020: self = .bt2020
        case .bt470m:
            self.init(
                red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: [0.310, 0.316])
        case .bt470bg:
            self.init(
                red: [0.64, 0.33], green: [0.29, 0.60], blue: [0.15, 0.06], white: Self.d65)
        case .bt601, .smpte240m:
            self.init(
                red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070], white: Self.d65)
        case .film:
            self.init(
                red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049],
                white: [0.310, 0.316])
        case .xyz:
            self.init(red: [1, 0], green: [0, 1], blue: [0, 0], white: [1.0 / 3, 1.0 / 3])
        case .dciP3:
            self.init(
                red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060],
                white: [0.314, 0.351])
        case .displayP3:
            self.init(
                red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: Self.d65)
        case .ebu3213:
            self.init(
                red: [0.630, 0.340], green: [0.295, 0.605], blue: [0.155, 0.077], white: Self.d65)
        default: return nil
        }
    }
}
