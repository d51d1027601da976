import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// ICC profiles in APP2 segments (ICC.1:2010, B.4).
@Suite struct JPEGProfileTests {
    /// 200 000 bytes that begin as a profile of four segments.
    static let profile: [UInt8] = {
        var bytes = [UInt8](repeating: 7, count: 200_000)
        bytes.replaceSubrange(0..<4, with: [0, 3, 13, 64])
        bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return bytes
    }()

    static let parts = (0..<4).map { part -> [UInt8] in
        let body = profile[(part * 50_000)..<(part + 1) * 50_000]
        return segment(2, Array("ICC_PROFILE\0".utf8) + [UInt8(part + 1), 4] + body)
    }

    static func segment(_ number: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 2
        return [0xFF, 0xE0 + number, UInt8(length >> 8), UInt8(length & 255)] + body
    }

    private func profile(_ segments: [[UInt8]]) throws -> [UInt8]? {
        let jpeg = try Media.array("still.jpg")
        let bytes = jpeg[..<2] + segments.flatMap(\.self) + jpeg[2...]
        let media = try JPEGs.open(Array(bytes))
        // What follows the segments is read as before.
        #expect(try media.makeReader(ReaderOptions()).nextFrame()?.bitmap.size == media.info.size)
        return media.info.color.profile?.bytes
    }

    @Test func `parts are joined by their numbers`() throws {
        #expect(try profile(Self.parts) == Self.profile)
        #expect(try profile(Self.parts.reversed()) == Self.profile)
        #expect(try profile(Self.parts + Self.parts) == Self.profile)
        let others = [
            Self.segment(2, Array("MPF\0".utf8)), Self.segment(1, []), Self.segment(2, []),
        ]
        #expect(try profile(others + Self.parts) == Self.profile)
    }

    @Test func `an incomplete profile is none`() throws {
        #expect(try profile([]) == nil)
        #expect(try profile(Array(Self.parts.dropLast())) == nil)
        let nothing = Self.segment(2, Array("ICC_PROFILE\0".utf8) + [0, 0, 1])
        #expect(try profile([nothing]) == nil)
    }

    @Test func `a file that ends in a segment ends before its picture`() throws {
        let bytes = try Media.array("still.jpg")[..<2] + Self.parts[0].dropLast(10)
        let error = #expect(throws: MediaError.self) { try JPEGs.open(Array(bytes)) }
        #expect(error?.code == .truncated)
    }
}
