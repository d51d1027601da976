import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct WebPRewriterTests {
    private static let change = TimingChange(plays: .times(3), delays: .each(.milliseconds(100)))

    /// A WebP of the chunks given, whatever they say.
    private func file(_ chunks: [(RIFFName, [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        for (name, content) in chunks {
            body.appendLittle(Int(name.number), bytes: 4)
            body.appendLittle(content.count, bytes: 4)
            body += content + (content.count.isMultiple(of: 2) ? [] : [0])
        }
        var file = Array("RIFF".utf8)
        file.appendLittle(body.count + 4, bytes: 4)
        return file + Array("WEBP".utf8) + body
    }

    private func rewritten(_ bytes: [UInt8]) throws(MediaError) -> [UInt8] {
        var new: [UInt8] = []
        try WebPRewriter().rewrite(MemoryBytes(bytes), Self.change, limits: .web) { new += $0 }
        return new
    }

    @Test(arguments: 0..<16) func `a frame shorter than its own header is refused`(count: Int) {
        let short = [UInt8](repeating: 0, count: count)
        let next: [UInt8] = [UInt8](repeating: 1, count: 40)
        for chunks: [(RIFFName, [UInt8])] in [
            [(.animation, [0, 0, 0, 0, 0, 0]), (.frame, short), (.frame, next)],
            [(.animation, [0, 0, 0, 0, 0, 0]), (.frame, next), (.frame, short)],
        ] {
            #expect { try rewritten(file(chunks)) } throws: {
                ($0 as? MediaError)?.code == .truncated
            }
        }
    }

    @Test(arguments: 0..<6) func `a short chunk of the animation is refused`(count: Int) {
        let bytes = file([(.animation, [UInt8](repeating: 0, count: count))])
        #expect { try rewritten(bytes) } throws: { ($0 as? MediaError)?.code == .truncated }
    }

    @Test(arguments: [0, 1, 7, 8, 15, 16, 17, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF])
    func `no chunk length traps`(length: Int) throws {
        let whole = try Media.array("animation.webp")
        var place = 12
        while place + 8 <= whole.count {
            var bytes = whole
            for byte in 0..<4 { bytes[place + 4 + byte] = UInt8(length >> (8 * byte) & 255) }
            do throws(MediaError) {
                let new = try rewritten(bytes)
                #expect(new.count == bytes.count)
            } catch {
                #expect([.truncated, .malformed].contains(error.code))
            }
            let count = Int(whole.little32(place + 4))
            place += 8 + count + count % 2
        }
    }
}
