import LazyMedia
import Testing

@Suite struct ByteEditsTests {
    private let digits = Array("0123456789".utf8)

    @Test func `ranges are replaced, inserted and removed`() throws {
        var edits = ByteEdits()
        try edits.replace(2, at: 1, with: Array("ab".utf8))
        try edits.replace(0, at: 3, with: Array("-".utf8))
        try edits.replace(3, at: 7, with: [])
        var bytes: [UInt8] = []
        try edits.write(MemoryBytes(digits), called: "file") { bytes += $0 }
        #expect(String(decoding: bytes, as: UTF8.self) == "0ab-3456")
    }

    /// A range, after a change of the bytes 4 and 5.
    @Test(arguments: [(1, 5), (0, 3), (-1, 8), (1, -1), (Int.max, 8), (1, Int.max)])
    func `overlapping and invalid ranges throw`(count: Int, offset: Int)
        throws
    {
        var edits = ByteEdits()
        try edits.replace(2, at: 4, with: [])
        #expect {
            try edits.replace(count, at: offset, with: [0])
        } throws: { ($0 as? MediaError)?.code == .malformed }
    }

    @Test(arguments: [(1, 10), (11, 0), (4, 7)])
    func `a change beyond the end throws before anything is written`(count: Int, offset: Int)
        throws
    {
        var edits = ByteEdits()
        try edits.replace(count, at: offset, with: [0])
        var isWritten = false
        #expect {
            try edits.write(MemoryBytes(digits), called: "file") { _ in isWritten = true }
        } throws: { ($0 as? MediaError)?.code == .truncated }
        #expect(!isWritten)
    }

    @Test(arguments: [
        (0, 0), (4, 0), (10, 1), (11, 2), (15, 2), (19, 2), (20, 2), (24, 2), (25, 3), (333, 33),
    ])
    func `a delay of every frame is the nearest step that browsers keep`(
        milliseconds: Int64, steps: Int64
    ) throws {
        var delays = try ErrorDiffusedDelays(
            .each(.milliseconds(milliseconds)), step: 10_000, least: 2)
        for _ in 0..<3 { #expect(delays.next(MediaTime(microseconds: 40_000)) == steps) }
    }

    @Test(arguments: [TimingChange.Delays.speed(0.01), .speed(100), .each(.longest)])
    func `extreme delays do not trap`(change: TimingChange.Delays) throws {
        var delays = try ErrorDiffusedDelays(change, step: 10_000, least: 2)
        for ticks: Int64 in [0, 1, .max, .max, 3] {
            let steps = delays.next(MediaTime(ticks: ticks, base: Rational(1, 1)))
            #expect(steps >= 0)
        }
    }
}
