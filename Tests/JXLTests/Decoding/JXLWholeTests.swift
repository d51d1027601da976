import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Files that libjxl gets in pieces, and again as a whole where it takes them for damaged: libjxl 0.7 does
/// so with some sound ones.
@Suite(.ownThreads) struct JXLWholeTests {
    /// A codestream in a container that ends with 200,000 bytes that mean nothing.
    private static func long(_ codestream: [UInt8]) -> [UInt8] {
        ISOBox.make("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
            + ISOBox.make("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
            + ISOBox.make("jxlc", codestream)
            + ISOBox.make("free", [UInt8](repeating: 0, count: 200_000))
    }

    @Test func `a second try gives the same frames`() throws {
        let bytes = try MemoryBytes(Self.long(Media.array("animation.jxl")))
        let handle = try JXLDecoderHandle(bytes, threads: 1, cancellation: CancellationFlag())
        #expect(handle.isInPieces)
        try handle.rewindToWhole()
        #expect(!handle.isInPieces)
        let frames = try Decoded.frames(Decoded.media(Self.long(Media.array("animation.jxl"))))
        let plain = try Decoded.frames(Decoded.media(Media.array("animation.jxl")))
        #expect(frames.map(\.bitmap) == plain.map(\.bitmap))
    }

    @Test func `damage is told after the second try, too`() throws {
        var told = 0
        let whole = try Media.array("animation.jxl")
        for place in stride(from: whole.count / 2, to: whole.count, by: 41) {
            var bytes = whole
            bytes[place] ^= 0x55
            guard let media = try? Decoded.media(Self.long(bytes)) else { continue }
            let reader = try media.makeReader(ReaderOptions(delayRule: .raw))
            var count = 0
            while let frame = try? reader.nextFrame() {
                #expect(frame.bitmap.size == media.info.size)
                count += 1
            }
            if count < 6 { told += 1 }
            #expect(count == 6 || count == 0 || !reader.warnings.isEmpty)
        }
        #expect(told > 0)
    }
}
