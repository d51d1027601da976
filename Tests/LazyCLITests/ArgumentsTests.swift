import ArgumentParser
import LazyMedia
import Testing

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

@Suite struct ArgumentsTests {
    static let sizes: [(String, TargetSize)] = [
        ("640x360", TargetSize(width: 640, height: 360)), ("640x", TargetSize(width: 640)),
        ("x360", TargetSize(height: 360)),
        ("640x360!", TargetSize(width: 640, height: 360, fit: .fill)),
        ("640x360^", TargetSize(width: 640, height: 360, fit: .cover)),
        ("640x>", TargetSize(width: 640, fit: .scaleDown)),
    ]

    @Test(arguments: sizes) func `a size is one or two sides and a mark`(
        text: String, size: TargetSize
    ) throws {
        #expect(try Arguments.size(text) == size)
    }

    @Test(arguments: [
        "", "x", "0x3", "-1x3", "640x360<", "640x360x2", "ax3", "640X360", "99999999999x1",
    ])
    func `invalid sizes are rejected`(text: String) {
        #expect(throws: ArgumentError.self) { try Arguments.size(text) }
    }

    static let rates: [(String, Rational)] = [
        ("12", Rational(12, 1)), ("12.5", Rational(12500, 1000)),
        ("30000/1001", Rational(30000, 1001)),
        ("0.5", Rational(500, 1000)),
    ]

    @Test(arguments: rates) func `a rate is exact`(text: String, rate: Rational) throws {
        #expect(try Arguments.rate(text) == rate)
    }

    @Test(arguments: [
        "0", "-1", "1001", "1/0", "a", "", "1m", "5ms", "0/5", "1:30", "1/1000001",
        "9223372036854775807/9223372036854775806",
    ])
    func `invalid rates are rejected`(text: String) {
        #expect(throws: ArgumentError.self) { try Arguments.rate(text) }
    }

    static let loops: [(String, Looping)] = [
        ("3", .times(3)), ("once", .times(1)), ("no", .times(1)), ("forever", .forever),
        ("inf", .forever),
        ("source", .asAuthored),
    ]

    @Test(arguments: loops) func `a loop is a number or a word`(text: String, looping: Looping)
        throws
    {
        #expect(try Arguments.looping(text) == looping)
    }

    @Test func `cells are columns and lines`() throws {
        #expect(try Arguments.cells("80x24") == CellGrid(checking: 80, 24))
        for text in ["80", "0x24", "80x0", "1001x24", "80x24x2", "ax24", ""] {
            #expect(throws: ArgumentError.self) { try Arguments.cells(text) }
        }
    }

    @Test func `whole numbers have bounds`() throws {
        #expect(try Arguments.positive("1") == 1)
        #expect(try Arguments.notNegative("0") == 0)
        for text in ["0", "-1", "1.5", "", "99999999999"] {
            #expect(throws: ArgumentError.self) { try Arguments.positive(text) }
        }
    }

    static let positions: [(String, PosterChoice)] = [
        ("auto", .auto), ("first", .first), ("last", .index(-1)), ("embedded", .embedded),
        ("12.5", .at(.milliseconds(12500))), ("00:01:02.5", .at(.milliseconds(62500))),
        ("1m2s", .at(.seconds(62))), ("25%", .percent(25)), ("0%", .percent(0)),
        ("100%", .percent(100)),
        ("12.5%", .percent(12.5)), ("#120", .index(120)), ("#-2", .index(-2)), ("-1", .index(-1)),
    ]

    @Test(arguments: positions)
    func `the position of a poster is parsed`(text: String, choice: PosterChoice) throws {
        #expect(try PosterChoice(parsing: text) == choice)
    }

    @Test(arguments: ["", "101%", "-5%", "nan%", "#", "#a", "middle", "--", "-1.5", "#99999999999"])
    func `invalid positions are rejected`(text: String) {
        #expect(throws: ArgumentError.self) { try PosterChoice(parsing: text) }
    }

    @Test(arguments: [
        ["poster", "a", "-W320", "-H200", "-fjpg", "-q80", "-t25%", "-j2", "-ob.jpg"],
        ["poster", "a", "-t-1", "-s640x360!"], ["play", "a", "-fraw", "-j2"],
        ["animate", "a", "-fgif", "-q50", "-j2", "-oout/"],
        ["convert", "a", "-fwebp", "-q50", "-j2", "-oout/"],
        ["sheet", "a", "-fjpg", "-q50", "-j2", "-n10", "-oa.jpg"], ["sheet", "a", "-i2s"],
        ["loop", "a", "--set", "2", "-ob.gif"], ["batch", "poster", "a", "-j2", "-oout/"],
        ["fetch", "https://example.org/a", "-j2", "-oa"],
        ["prefetch", "https://example.org/a", "-j2"],
    ])
    func `a short option takes its value with or without a space`(words: [String]) throws {
        func described(_ words: [String]) throws -> String {
            String(describing: try LazyImg.command(words))
        }
        let apart = words.flatMap { word -> [String] in
            guard word.hasPrefix("-"), !word.hasPrefix("--") else { return [word] }
            return [String(word.prefix(2)), String(word.dropFirst(2))]
        }
        #expect(try described(words) == described(apart))
    }
}
