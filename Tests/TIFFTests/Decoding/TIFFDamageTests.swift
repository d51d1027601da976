import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Truncated, damaged and hostile files.
@Suite(.ownThreads) struct TIFFDamageTests {
    @Test(.needs("convert", "tiffcp"), arguments: ["-r 4 -c lzw", "-t -w 16 -l 16 -c zip"])
    func `a file cut anywhere gives its good pieces or an error`(copied: String) throws {
        let whole = try TIFFTool.encoded("still-rgb8.png", "", copied: copied)
        let all = try #require(try Decoded.frames(Decoded.media(whole)).first?.bitmap)
        for end in stride(from: 0, to: whole.count, by: 41) {
            guard let media = try? Decoded.media(Array(whole[..<end])),
                let reader = try? media.makeReader(ReaderOptions()),
                let frame = try? reader.nextFrame()
            else { continue }
            if reader.warnings.isEmpty { #expect(frame.bitmap == all) }
            for y in 0..<all.size.height {
                for x in 0..<all.size.width where frame.bitmap[x, y].w != 0 {
                    #expect(frame.bitmap[x, y] == all[x, y])
                }
            }
        }
    }

    /// Strips of which the last ones are missing, after a directory at the beginning.
    @Test func `missing strips are transparent`() throws {
        let file = TIFFForge(width: 8, height: 8, rowsPerStrip: 2)
        let all = try #require(try Decoded.frames(Decoded.media(file.bytes)).first?.bitmap)
        #expect(all.isOpaque && all[7, 7].w == 255)
        let media = try Decoded.media(Array(file.bytes.dropLast(2 * 8 * 3 + 1)))
        let reader = try media.makeReader(ReaderOptions())
        let part = try #require(try reader.nextFrame()?.bitmap)
        #expect(reader.warnings.map(\.code) == [.truncated])
        #expect(!part.isOpaque)
        for y in 0..<8 { #expect(part[3, y].w == (y < 4 ? 255 : 0)) }
        #expect(part[7, 3] == all[7, 3])
        let error = #expect(throws: MediaError.self) {
            try Decoded.media(Array(file.bytes.dropLast(8 * 8 * 3)))
        }
        #expect(error?.code == .truncated)
    }

    @Test(.needs("convert", "tiffcp"), arguments: ["-c zip:1", "-c zip:2", "-c lzw:1", "-c none"])
    func `a last strip may have more rows than the picture`(compression: String) throws {
        // The last strip is of one color, which is one long run for the compression.
        let drawing = "-resize 128x96! -fill red -draw 'rectangle 0,64 127,95' -depth 8"
        var bytes = try TIFFTool.encoded(
            "still-rgb8.png", drawing, copied: "\(compression) -r 32")
        let all = try #require(try Decoded.frames(Decoded.media(bytes)).first?.bitmap)
        #expect(all.size == PixelSize(width: 128, height: 96))
        // ImageLength, a number of 16 bits.
        let entry = try #require(
            bytes.indices.first { bytes[$0...].starts(with: [1, 1, 3, 0, 1, 0, 0, 0, 96, 0]) })
        bytes[entry + 8] = 70
        let cut = try #require(try Decoded.frames(Decoded.media(bytes)).first?.bitmap)
        #expect(cut.size == PixelSize(width: 128, height: 70))
        for y in 0..<70 {
            for x in 0..<128 where cut[x, y] != all[x, y] {
                Issue.record("\(x), \(y)")
                return
            }
        }
    }

    @Test func `a flipped bit gives frames of the stated size or an error`() throws {
        let whole = try Media.array("still.tiff")
        var decoded = 0
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 1 << UInt8(place % 8)
            guard let media = try? Decoded.media(bytes, limits: .untrusted),
                let frames = try? Decoded.frames(media, ReaderOptions(limits: .untrusted))
            else { continue }
            #expect(frames.allSatisfy { $0.bitmap.size == media.info.size }, "byte \(place)")
            decoded += 1
        }
        #expect(decoded > 0 && decoded < whole.count)
    }

    @Test func `limits and cancellation are respected`() throws {
        let bytes = try Media.array("still.tiff")
        for limits in [
            DecodingLimits(pixelsPerFrame: 15_359), DecodingLimits(memory: 70_000),
            DecodingLimits(openTime: .zero),
        ] {
            let error = #expect(throws: MediaError.self) {
                try Decoded.media(bytes, limits: limits)
            }
            #expect(error?.code == .limitExceeded)
        }
        let media = try Decoded.media(bytes)
        for limits in [DecodingLimits(totalPixels: 100), DecodingLimits(decodeTime: .zero)] {
            let error = #expect(throws: MediaError.self) {
                try Decoded.frames(media, ReaderOptions(limits: limits))
            }
            #expect(error?.code == .limitExceeded)
        }
        let flag = CancellationFlag()
        flag.cancel()
        let error = #expect(throws: MediaError.self) {
            try media.makeReader(ReaderOptions(cancellation: flag)).nextFrame()
        }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: [
        (1 << 30, 1 << 30, 1), (1 << 16, 1 << 16, 1), (8, 8, 1 << 30), (100_000, 1, 1 << 31 - 1),
    ]) func `huge pictures and strips are refused before memory is asked for`(
        width: Int, height: Int, rows: Int
    ) throws {
        var file = TIFFForge(width: 8, height: 8, rowsPerStrip: 2)
        (file.width, file.height, file.rowsPerStrip) = (width, height, rows)
        do {
            let frames = try Decoded.frames(
                Decoded.media(file.bytes, limits: .untrusted), ReaderOptions(limits: .untrusted))
            #expect(frames.allSatisfy { $0.bitmap.size.pixelCount <= 100_000 })
        } catch {
            #expect([.limitExceeded, .malformed, .truncated].contains(error.code))
        }
    }

    @Test(.timeLimit(.minutes(2))) func `each directory of a long chain is read once`() throws {
        let media = try Decoded.media(TIFFForge.chain(60_000))
        #expect(media.info.frameCount == 60_000)
    }

    @Test func `a profile that pages share is held once`() throws {
        var profile = TIFFForge.linearProfile
        profile += Array(repeating: 0, count: 100_000)
        let size = UInt32(profile.count)
        profile.replaceSubrange(
            0..<4, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) })
        let limits = DecodingLimits(memory: 250_000)
        let media = try Decoded.media(TIFFForge.chain(20, profile: profile), limits: limits)
        #expect(media.info.frameCount == 20)
        #expect(media.info.color.profile != nil)
    }

    @Test func `directories that name the same bytes again and again are refused`() throws {
        let profile = [UInt8](repeating: 0, count: 15 << 20)
        let bytes = TIFFForge.chain(100, profile: profile)
        let error = #expect(throws: MediaError.self) { try Decoded.media(bytes) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("the same bytes too many times") == true)
    }

    @Test func `directories that lead in a circle end`() throws {
        var file = TIFFForge(width: 8, height: 8, rowsPerStrip: 2)
        file.next = 8
        let media = try Decoded.media(file.bytes)
        #expect(media.info.frameCount == 1)
    }

    @Test(arguments: [
        (3, "floating-point numbers of an unusual length"), (99, "kind"),
        (8001, "more than 32 samples"),
    ])
    func `samples that are not read are refused by name`(code: Int, word: String) throws {
        var file = TIFFForge(width: 8, height: 8, rowsPerStrip: 2)
        switch code {
        case 3: file.sampleFormat = 3
        case 99: file.photometric = code
        default: file.samples = code
        }
        let error = #expect(throws: MediaError.self) { try Decoded.media(file.bytes) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(word) == true)
    }
}
