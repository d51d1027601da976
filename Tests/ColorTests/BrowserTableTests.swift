import LazyMedia
import Testing

/// HDR to sRGB, against pixels that Chromium 156 draws on an sRGB canvas.
@Suite struct BrowserTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let codes: SIMD3<Int>
        let color: SIMD3<Int>
        var testDescription: String { "\(codes)" }
        init(_ codes: SIMD3<Int>, _ color: SIMD3<Int>) { (self.codes, self.color) = (codes, color) }
        init(gray code: Int, _ level: Int) {
            self.init(SIMD3(repeating: code), SIMD3(repeating: level))
        }
    }

    static let pq: [Row] =
        [
            (0, 0), (64, 1), (128, 5), (192, 15), (256, 30), (320, 47), (384, 70), (448, 97),
            (512, 131), (575, 173), (639, 212), (703, 235), (767, 254), (831, 255), (1023, 255),
        ].map { Row(gray: $0.0, $0.1) } + [
            Row([545, 335, 225], [188, 0, 0]), Row([479, 585, 355], [0, 187, 0]),
            Row([296, 201, 582], [0, 0, 187]), Row([564, 301, 0], [205, 0, 0]),
            Row([430, 588, 230], [0, 191, 0]), Row([594, 0, 0], [235, 0, 0]),
            Row([0, 594, 0], [0, 198, 0]), Row([0, 0, 594], [0, 0, 197]),
            Row([510, 476, 444], [142, 109, 93]), Row([533, 553, 615], [127, 155, 205]),
            Row([728, 707, 575], [255, 222, 110]), Row([769, 365, 254], [255, 0, 0]),
        ]

    static let hlg: [Row] =
        [
            (0, 0), (64, 3), (128, 14), (192, 28), (256, 43), (320, 57), (384, 71), (448, 85),
            (512, 99), (575, 115), (639, 134), (703, 158), (767, 187), (831, 211), (895, 227),
            (959, 242), (1023, 255),
        ].map { Row(gray: $0.0, $0.1) } + [
            Row([725, 273, 133], [187, 0, 0]), Row([537, 761, 278], [3, 187, 0]),
            Row([236, 121, 832], [0, 0, 187]), Row([760, 220, 0], [205, 0, 0]),
            Row([419, 767, 125], [0, 191, 0]), Row([811, 0, 0], [234, 0, 0]),
            Row([0, 780, 0], [0, 198, 0]), Row([0, 0, 860], [0, 0, 197]),
            Row([637, 559, 477], [142, 109, 92]), Row([661, 701, 819], [127, 155, 206]),
            Row([971, 935, 695], [255, 222, 110]), Row([1023, 279, 139], [255, 0, 0]),
        ]

    @Test(arguments: pq)
    func `PQ comes out as browsers show it`(_ row: Row) throws {
        try expect(row, .init(primaries: .bt2020, transfer: .pq, matrix: .bt2020))
    }

    @Test(arguments: hlg)
    func `HLG comes out as browsers show it`(_ row: Row) throws {
        try expect(row, .init(primaries: .bt2020, transfer: .hlg, matrix: .bt2020))
    }

    private func expect(_ row: Row, _ color: ColorDescription) throws {
        let got = try converted(row.codes, most: 1023, color, .still)
        let difference = got &- row.color
        // One more for rounding the code to 14 bits.
        let worst = (0..<3).map { abs(difference[$0]) }.max() ?? 0
        #expect(worst <= 1, "\(got) instead of \(row.color)")
    }

    /// cd/m², and the gray that browsers show at a peak of 4000 cd/m².
    @Test(arguments: [
        (1, 8), (10, 43), (100, 136), (203, 188), (400, 207), (1000, 225), (4000, 255),
    ])
    func `A higher peak leaves room above white`(_ luminance: Int, _ gray: Int) throws {
        let color = ColorDescription(
            primaries: .bt2020, transfer: .pq, contentLight: ContentLight(maximum: 4000))
        let code = pqCode(Double(luminance))
        let got = try converted(SIMD3(repeating: code), most: 65535, color, .still)
        #expect(abs(got.x - gray) <= 1)
    }

    @Test func `A ramp of gray rises up to the peak and stays white above`() throws {
        let color = ColorDescription(primaries: .bt2020, transfer: .pq)
        let levels = try (0...1023).map {
            try converted(SIMD3(repeating: $0), most: 1023, color, .still).x
        }
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 <= 2 })
        let peak = try #require(levels.firstIndex(of: 255))
        #expect((760...775).contains(peak))
    }

    @Test func `The content's peak is MaxCLL, then the mastering display's, then 1000`() {
        var color = ColorDescription(transfer: .pq)
        #expect(color.peakLuminance == 1000)
        color.masteringDisplay = MasteringDisplay(maximumLuminance: 4000)
        #expect(color.peakLuminance == 4000)
        color.contentLight = ContentLight(maximum: 600)
        #expect(color.peakLuminance == 600)
        color.contentLight = ContentLight(maximum: 0)
        #expect(color.peakLuminance == 4000)
    }

    @Test func `Content no brighter than white is not mapped`() throws {
        let color = ColorDescription(
            primaries: .bt2020, transfer: .pq, contentLight: ContentLight(maximum: 203))
        let got = try converted(SIMD3(repeating: pqCode(203)), most: 65535, color, .still)
        #expect(got == SIMD3(repeating: 255))
    }
}
