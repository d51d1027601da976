import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Files that are cut, damaged, or ask for much.
@Suite(.ownThreads, .needs("ffmpeg")) struct HEICDamageTests {
    @Test func `a file cut anywhere gives a picture of its size or an error`() throws {
        let whole = Fixtures.phone.bytes
        var shown = 0
        for end in Swift.stride(from: 0, to: whole.count, by: 37) {
            guard let media = try? Fixtures.open(Array(whole[..<end])) else { continue }
            let reader = try media.makeReader(ReaderOptions(limits: .untrusted))
            guard let frame = try? reader.nextFrame() else { continue }
            #expect(frame.bitmap.size == media.info.size)
            shown += 1
        }
        #expect(shown > 0)
    }

    @Test func `missing tiles are transparent, and a warning says so`() throws {
        var forge = Fixtures.grid(width: 192, height: 128)
        forge.items[4].data = Array(repeating: 0xFF, count: forge.items[4].data.count)
        let reader = try Fixtures.open(forge.bytes).makeReader(ReaderOptions(threads: 2))
        let frame = try #require(try reader.nextFrame())
        #expect(reader.warnings.contains { $0.message.contains("1 of 6 tiles") })
        #expect(frame.bitmap[96, 96].w == 0)
        #expect(frame.bitmap[10, 10].w == 255)
        #expect(!frame.bitmap.isOpaque)
    }

    @Test func `a flipped byte gives a picture of its size or an error`() throws {
        let whole = Fixtures.phone.bytes
        // The tables, and the beginning of the data.
        let end = min(whole.count, 3000)
        for place in 0..<end {
            var bytes = whole
            bytes[place] ^= UInt8(truncatingIfNeeded: 1 << (place % 8))
            guard let media = try? Fixtures.open(bytes, limits: .untrusted) else { continue }
            let reader = try media.makeReader(ReaderOptions(limits: .untrusted))
            guard let frame = try? reader.nextFrame() else { continue }
            #expect(frame.bitmap.size == media.info.size, "byte \(place)")
        }
        #expect(LiveHandles.count < 64)
    }

    /// Changes of a file that is fine, and the code of the error.
    static let hostile: [(String, MediaError.Code, @Sendable (inout HEICForge) -> Void)] = [
        (
            "a grid that contains itself", .malformed,
            { $0.references[0].to[3] = 100 }
        ),
        (
            "an identity of an identity of itself", .malformed,
            { forge in
                forge.add(50, "iden", [], [], pieces: 0)
                forge.refer("dimg", from: 50, to: [51])
                forge.add(51, "iden", [], [], pieces: 0)
                forge.refer("dimg", from: 51, to: [50])
                forge.primary = 51
            }
        ),
        (
            "a canvas of 65535 by 65535 pixels", .limitExceeded,
            { forge in
                forge.items[6].data = HEICForge.grid(
                    columns: 3, rows: 2, width: 0xFFFF, height: 0xFFFF)
            }
        ),
        (
            "a canvas of 4 billion columns", .malformed,
            { forge in
                forge.items[6].data = HEICForge.grid(
                    columns: 3, rows: 2, width: 0xFFFF_FFFF, height: 0xFFFF_FFFF, isLarge: true)
            }
        ),
        ("too few tiles", .malformed, { $0.references[0].to.removeLast() }),
        ("a tile that is missing", .malformed, { $0.references[0].to[2] = 999 }),
        (
            "tiles that do not cover the canvas", .malformed,
            { forge in
                forge.items[6].data = HEICForge.grid(
                    columns: 3, rows: 2, width: 193, height: 120)
            }
        ),
        (
            "tiles of different sizes", .malformed,
            { $0.items[3].properties[1] = HEICForge.size(32, 64) }
        ),
        (
            "a tile as large as the limits allow, many times", .malformed,
            { forge in
                for index in 0..<6 {
                    forge.items[index].properties[1] = HEICForge.size(7000, 7000)
                }
            }
        ),
        (
            "a tile without a configuration", .malformed,
            { $0.items[0].properties.removeFirst() }
        ),
        (
            "a picture that is not read here", .unsupported,
            { $0.items[2].kind = "vvc1" }
        ),
        (
            "an empty crop", .malformed,
            { $0.items[6].properties.append(HEICForge.aperture([0, 1, 5, 1, 0, 1, 0, 1])) }
        ),
        (
            "no primary item", .unsupported, { $0.primary = 77 }
        ),
    ]

    @Test(arguments: hostile.indices)
    func `a file that asks for the impossible is refused`(index: Int) throws {
        let (name, code, change) = Self.hostile[index]
        var forge = Fixtures.grid()
        change(&forge)
        let error = #expect(throws: MediaError.self, "\(name)") {
            _ = try Fixtures.picture(forge.bytes)
        }
        #expect(error?.code == code, "\(name): \(error?.message ?? "")")
    }

    @Test func `pictures in pictures end at a depth and at a number`() throws {
        var deep = Fixtures.single(Fixtures.small)
        for id in 2...20 {
            deep.add(id, "iden", [], [], pieces: 0)
            deep.refer("dimg", from: id, to: [id - 1])
        }
        deep.primary = 20
        #expect(throws: MediaError.self) { _ = try Fixtures.open(deep.bytes) }
        // Seven overlays, each of a hundred times the one before it.
        var wide = Fixtures.single(Fixtures.small)
        for id in 2...8 {
            let offsets = Array(repeating: (0, 0), count: 100)
            wide.add(
                id, "iovl",
                HEICForge.overlay(
                    background: [0, 0, 0, 0], width: 48, height: 32, offsets: offsets),
                [HEICForge.size(48, 32)])
            wide.refer("dimg", from: id, to: Array(repeating: id - 1, count: 100))
        }
        wide.primary = 8
        let error = #expect(throws: MediaError.self) { _ = try Fixtures.open(wide.bytes) }
        #expect(error?.message.contains("too many pictures") == true)
    }

    @Test func `counts of tables are checked before memory is taken`() throws {
        let good = Fixtures.grid().bytes
        func forged(_ box: String, _ offset: Int, _ value: [UInt8]) -> [UInt8] {
            var bytes = good
            let name = Array(box.utf8)
            guard
                let place = bytes.indices.first(where: { start in
                    bytes[start...].starts(with: name)
                })
            else { return bytes }
            bytes.replaceSubrange(place + offset..<place + offset + value.count, with: value)
            return bytes
        }
        let most: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        for bytes in [
            forged("iloc", 10, [0xFF, 0xFF]), forged("ipma", 8, most),
            forged("dimg", 6, [0xFF, 0xFF]), forged("iloc", 8, [0xFF, 0xFF]),
            forged("iloc", 4, [9]),
        ] {
            let error = #expect(throws: MediaError.self) { _ = try Fixtures.open(bytes) }
            #expect(error?.code == .malformed)
        }
    }

    @Test func `limits, cancellation and damage end the reading`() throws {
        let bytes = Fixtures.grid().bytes
        for limits in [
            DecodingLimits(pixelsPerFrame: 1000), DecodingLimits(memory: 10_000),
            DecodingLimits(totalPixels: 20_000),
            DecodingLimits(decodeTime: .zero),
        ] {
            let error = #expect(throws: MediaError.self) {
                _ = try Fixtures.picture(bytes, ReaderOptions(limits: limits))
            }
            #expect(error?.code == .limitExceeded, "\(limits)")
        }
        let flag = CancellationFlag()
        flag.cancel()
        let error = #expect(throws: MediaError.self) {
            _ = try Fixtures.picture(bytes, ReaderOptions(cancellation: flag))
        }
        #expect(error?.code == .cancelled)
    }

    @Test func `a coded picture that is larger or smaller than it says is refused`() throws {
        for (width, height) in [(65, 64), (64, 80)] {
            var forge = Fixtures.single(Fixtures.tiles[0])
            forge.items[0].properties[1] = HEICForge.size(width, height)
            #expect(throws: MediaError.self) { _ = try Fixtures.picture(forge.bytes) }
        }
        var forge = Fixtures.single(Fixtures.tile(1, width: 640, height: 480))
        forge.items[0].properties[1] = HEICForge.size(64, 64)
        #expect(throws: MediaError.self) { _ = try Fixtures.picture(forge.bytes) }
    }

    @Test func `the threads make no difference`() throws {
        let bytes = Fixtures.phone.bytes
        let one = try Fixtures.picture(bytes, ReaderOptions(threads: 1))
        for _ in 0..<5 {
            #expect(try Fixtures.picture(bytes, ReaderOptions(threads: 8)) == one)
        }
    }
}
