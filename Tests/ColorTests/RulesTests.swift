import LazyMedia
import Testing

/// What tags mean, as far as Chromium's rules differ between kinds of files.
@Suite struct RulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let color: ColorDescription
        let rules: ColorRules
    }

    static let unchanged = [
        Row(testDescription: "nothing said", color: .init(), rules: .still),
        Row(testDescription: "sRGB", color: .sRGB, rules: .png),
        Row(
            testDescription: "BT.709 in a still", color: .init(primaries: .bt709, transfer: .bt709),
            rules: .still),
        Row(
            testDescription: "BT.709 film",
            color: .init(primaries: .bt709, transfer: .bt709, matrix: .bt709), rules: .film),
        Row(
            testDescription: "BT.601 film",
            color: .init(primaries: .bt601, transfer: .bt601, matrix: .bt601), rules: .film),
        Row(
            testDescription: "BT.709 film with SMPTE 240M's transfer",
            color: .init(primaries: .bt709, transfer: .smpte240m, matrix: .bt709), rules: .film),
        Row(
            testDescription: "SMPTE 240M film",
            color: .init(primaries: .smpte240m, transfer: .smpte240m, matrix: .smpte240m),
            rules: .film),
        Row(
            testDescription: "film with a matrix only", color: .init(matrix: .bt2020), rules: .film),
        Row(
            testDescription: "film with a transfer only", color: .init(transfer: .pq), rules: .film),
        Row(
            testDescription: "unknown code points",
            color: .init(primaries: .init(rawValue: 99), transfer: .init(rawValue: 77)),
            rules: .still),
    ]

    @Test(arguments: unchanged)
    func `Colors that are sRGB, or count as it, are not converted`(_ row: Row) {
        #expect(ColorConversions.choose(row.color, row.rules, .sRGB()).converter == nil)
    }

    /// Results of Chromium's formulas, computed apart.
    @Test func `Tags that differ from sRGB are converted`() throws {
        let color: SIMD3 = [200, 100, 50]
        let rows: [(ColorDescription, ColorRules, SIMD3<Int>)] = [
            (.init(primaries: .displayP3, transfer: .sRGB), .still, [215, 93, 31]),
            (.init(primaries: .bt709, transfer: .bt709), .png, [197, 91, 39]),
            (.init(gamma: 1), .png, [228, 168, 122]),
            (.init(primaries: .bt709, transfer: .linear), .still, [228, 168, 122]),
            (
                .init(primaries: .displayP3, transfer: .bt709, matrix: .bt709), .film,
                [215, 93, 31]
            ),
            (.init(primaries: .bt470bg, transfer: .bt709, matrix: .bt601), .film, [203, 100, 51]),
            (.init(primaries: .bt470m, transfer: .bt601, matrix: .bt601), .film, [232, 93, 30]),
            // Primaries of 525 lines count as BT.709's, other curves do not.
            (.init(primaries: .bt601, transfer: .gamma28, matrix: .bt601), .film, [189, 76, 26]),
        ]
        for (description, rules, wanted) in rows {
            let got = try converted(color, most: 255, description, rules)
            let difference = got &- wanted
            #expect((0..<3).allSatisfy { abs(difference[$0]) <= 1 }, "\(got) \(wanted)")
        }
    }

    @Test func `Values of the source are not converted`() {
        let color = ColorDescription(primaries: .bt2020, transfer: .pq)
        #expect(ColorConversions.choose(color, .still, .source).converter == nil)
    }

    @Test func `Tone mappings differ in bright light and agree on black`() throws {
        let color = ColorDescription(primaries: .bt2020, transfer: .pq)
        let code = pqCode(203)
        let grays = try ToneMapping.allCases.map {
            try converted(SIMD3(repeating: code), most: 65535, color, .still, $0).x
        }
        #expect(zip(grays, [188, 229, 255]).allSatisfy { abs($0 - $1) <= 1 }, "\(grays)")
        for mapping in ToneMapping.allCases {
            #expect(try converted(.zero, most: 65535, color, .still, mapping) == .zero)
        }
    }
}
