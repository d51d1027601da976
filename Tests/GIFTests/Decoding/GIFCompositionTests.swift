import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct GIFCompositionTests {
    /// One image: where it stands, its rows in letters, its disposal, whether `.` is transparent.
    struct Picture: Sendable {
        var left = 0
        var top = 0
        var rows: [String]
        var disposal = 0
        var isMasked = true
    }

    /// Images on a 3 x 2 screen, and what the canvas shows after each.
    struct Story: Sendable, CustomStringConvertible {
        var description: String
        var pictures: [Picture]
        var shown: [[String]]
    }

    static let red = Picture(rows: ["RRR", "RRR"], isMasked: false)

    static let stories = [
        Story(
            description: "what is not covered is transparent",
            pictures: [Picture(left: 1, rows: ["R"], isMasked: false)],
            shown: [[".R.", "..."]]),
        Story(
            description: "disposals 0 and 1 keep",
            pictures: [
                red, Picture(rows: ["G"]), Picture(top: 1, rows: ["B"], disposal: 1),
                Picture(left: 2, rows: ["K"]),
            ],
            shown: [["RRR", "RRR"], ["GRR", "RRR"], ["GRR", "BRR"], ["GRK", "BRR"]]),
        Story(
            description: "transparent pixels let through what is there",
            pictures: [red, Picture(rows: ["G.G", ".B."])],
            shown: [["RRR", "RRR"], ["GRG", "RBR"]]),
        Story(
            description: "disposal 2 clears the rectangle, transparent pixels and all",
            pictures: [
                red, Picture(left: 1, rows: ["G.", ".G"], disposal: 2), Picture(rows: ["B"]),
            ],
            shown: [["RRR", "RRR"], ["RGR", "RRG"], ["B..", "R.."]]),
        Story(
            description: "disposal 2 of an opaque image clears, too",
            pictures: [
                Picture(rows: ["RRR", "RRR"], disposal: 2, isMasked: false),
                Picture(left: 1, rows: ["G"], isMasked: false),
            ],
            shown: [["RRR", "RRR"], [".G.", "..."]]),
        Story(
            description: "disposal 3 brings back what was there",
            pictures: [
                red, Picture(rows: ["GG", "GG"], disposal: 3), Picture(left: 2, rows: ["B"]),
            ],
            shown: [["RRR", "RRR"], ["GGR", "GGR"], ["RRB", "RRR"]]),
        Story(
            description: "disposal 3 of the first image brings back nothing",
            pictures: [
                Picture(rows: ["RRR", "RRR"], disposal: 3), Picture(left: 1, rows: ["G"]),
            ],
            shown: [["RRR", "RRR"], [".G.", "..."]]),
        Story(
            description: "disposals 3 in a row bring back the same",
            pictures: [
                red, Picture(rows: ["G"], disposal: 3), Picture(left: 1, rows: ["B"], disposal: 3),
                Picture(left: 2, rows: ["K"]),
            ],
            shown: [["RRR", "RRR"], ["GRR", "RRR"], ["RBR", "RRR"], ["RRK", "RRR"]]),
        Story(
            description: "disposal 3 after disposal 2 brings back the hole",
            pictures: [
                red, Picture(rows: ["GG"], disposal: 2), Picture(left: 1, rows: ["B"], disposal: 3),
                Picture(left: 2, rows: ["K"]),
            ],
            shown: [["RRR", "RRR"], ["GGR", "RRR"], [".BR", "RRR"], ["..K", "RRR"]]),
        Story(
            description: "images over the edge are cut, and disposed of as far as they are seen",
            pictures: [
                red, Picture(left: 2, top: 1, rows: ["GG", "GG"], disposal: 2),
                Picture(left: 1, rows: ["B.B"], disposal: 3), Picture(rows: ["K"]),
            ],
            shown: [["RRR", "RRR"], ["RRR", "RRG"], ["RBR", "RR."], ["KRR", "RR."]]),
        Story(
            description: "an image outside of the screen is a frame without a change",
            pictures: [
                red, Picture(left: 7, top: 9, rows: ["G"], disposal: 2), Picture(rows: ["B"]),
            ],
            shown: [["RRR", "RRR"], ["RRR", "RRR"], ["BRR", "RRR"]]),
        Story(
            description: "an index beyond the palette is opaque black",
            pictures: [Picture(rows: ["R.R"], isMasked: false)],
            shown: [["RKR", "..."]]),
    ]

    private func forge(_ story: Story, isInterlaced: Bool) -> [UInt8] {
        var forge = GIFForge(width: 3, height: 2, palette: GIFForge.palette, background: 1)
        for picture in story.pictures {
            forge.control(disposal: picture.disposal, transparent: picture.isMasked ? 4 : nil)
            forge.picture(
                left: picture.left, top: picture.top, picture.rows, isInterlaced: isInterlaced)
        }
        forge.trailer()
        return forge.bytes
    }

    @Test(arguments: stories, [false, true])
    func `frames are composed as in browsers`(_ story: Story, _ isInterlaced: Bool) throws {
        let bytes = forge(story, isInterlaced: isInterlaced)
        let reading = readGIF(bytes)
        #expect(reading.frames.map(\.bitmap.letters) == story.shown)
        #expect(reading.warnings == [])
        for frame in reading.frames where frame.bitmap.isOpaque {
            #expect(!frame.bitmap.letters.joined().contains("."))
        }
        // Whoever lets go of each bitmap at once lets the next be drawn into the same memory.
        let reader = try openGIF(bytes).makeReader(ReaderOptions())
        for shown in story.shown { #expect(try reader.nextFrame()?.bitmap.letters == shown) }
        #expect(try reader.nextFrame() == nil)
        #expect(try reader.nextFrame() == nil)
    }

    @Test(arguments: stories)
    func `any frame can be read first`(_ story: Story) throws {
        let bytes = forge(story, isInterlaced: false)
        for index in story.shown.indices {
            let reader = try openGIF(bytes).makeReader(ReaderOptions())
            try reader.seek(toIndex: index)
            #expect(try reader.nextFrame()?.bitmap.letters == story.shown[index])
            let next = story.shown[(index + 1)...].first
            #expect(try reader.nextFrame()?.bitmap.letters == next)
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 16, 17])
    func `interlaced lines are ordered from top to bottom`(_ height: Int) throws {
        var forge = GIFForge(width: 1, height: height, palette: (0..<32).map { $0 << 16 })
        forge.image(
            width: 1, height: height, isInterlaced: true, indices: (0..<height).map(UInt8.init),
            codeSize: 5)
        let bitmap = try #require(readGIF(forge.bytes).frames.first?.bitmap)
        for y in 0..<height { #expect(bitmap[0, y] == [UInt8(y), 0, 0, 255]) }
    }

    @Test func `a local palette replaces the global one for its image alone`() {
        var forge = GIFForge(width: 2, height: 1, palette: GIFForge.palette)
        forge.image(
            width: 2, height: 1, palette: [0x0000FF, 0x00FF00], indices: [0, 1], codeSize: 2)
        forge.image(width: 2, height: 1, indices: [0, 1], codeSize: 2)
        #expect(readGIF(forge.bytes).frames.map(\.bitmap.letters) == [["BG"], ["KR"]])
    }

    @Test func `without any palette all colors are black`() {
        var forge = GIFForge(width: 2, height: 1)
        forge.image(width: 2, height: 1, indices: [0, 1], codeSize: 2)
        #expect(readGIF(forge.bytes).frames.map(\.bitmap.letters) == [["KK"]])
    }

    @Test func `an image that ends early but properly is painted in part`() {
        var forge = GIFForge(width: 2, height: 2, palette: GIFForge.palette)
        forge.picture(["RR", "RR"])
        forge.descriptor(width: 2, height: 2)
        forge.byte(2)
        forge.blocks(LZWForge.encode([2, 2, 3], codeSize: 2))
        forge.picture(["B"])
        forge.trailer()
        let reading = readGIF(forge.bytes)
        #expect(
            reading.frames.map(\.bitmap.letters) == [["RR", "RR"], ["GG", "BR"], ["BG", "BR"]])
        #expect(reading.warnings.map(\.code) == [.malformed])
    }

    @Test func `an image without a single pixel is a frame`() throws {
        var forge = GIFForge(width: 2, height: 1, palette: GIFForge.palette)
        forge.picture(["RR"])
        forge.image(width: 0, height: 1, indices: [], codeSize: 2)
        forge.image(width: 1, height: 0, indices: [], codeSize: 2)
        forge.picture(["G"])
        #expect(
            readGIF(forge.bytes).frames.map(\.bitmap.letters) == [["RR"], ["RR"], ["RR"], ["GR"]])
    }

    @Test func `held bitmaps do not change`() throws {
        let bytes = randomGIF(seed: 5)
        let reader = try openGIF(bytes).makeReader(ReaderOptions())
        var kept: [Bitmap] = []
        var copies: [[UInt8]] = []
        while let frame = try reader.nextFrame() {
            kept.append(frame.bitmap)
            copies.append(frame.bitmap.withBytes { Array($0) })
        }
        for (bitmap, copy) in zip(kept, copies) { #expect(bitmap.withBytes { Array($0) } == copy) }
        // Some are kept, some are not: memories are used again in every order.
        let again = try openGIF(bytes).makeReader(ReaderOptions())
        var some: [Int: Bitmap] = [:]
        var index = 0
        while let frame = try again.nextFrame() {
            #expect(frame.bitmap == kept[index])
            if index % 3 == 0 { some[index] = frame.bitmap }
            some[index - 7] = nil
            index += 1
        }
        for (index, bitmap) in some { #expect(bitmap == kept[index]) }
    }

    @Test func `a huge canvas is right where it is painted, cleared and restarted`() throws {
        var forge = GIFForge(width: 6000, height: 6000, palette: GIFForge.palette)
        forge.control(disposal: 2)
        forge.picture(left: 5, top: 5, ["R"])
        forge.picture(left: 5990, top: 5990, ["G"])
        forge.picture(left: 3, ["B"])
        let places = [[5, 5], [5990, 5990], [3, 0], [3000, 3000]]
        let shown: [[SIMD4<UInt8>]] = [
            [[255, 0, 0, 255], .zero, .zero, .zero],
            [.zero, [0, 255, 0, 255], .zero, .zero],
            [.zero, [0, 255, 0, 255], [0, 0, 255, 255], .zero],
        ]
        let reader = try openGIF(forge.bytes).makeReader(ReaderOptions())
        var kept: [Bitmap] = []
        for index in [0, 1, 2, 0, 2, 1] {
            try reader.seek(toIndex: index)
            let bitmap = try #require(try reader.nextFrame()).bitmap
            #expect(places.map { bitmap[$0[0], $0[1]] } == shown[index])
            kept = [bitmap] + kept.prefix(1)
        }
    }
}
