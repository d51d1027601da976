import LazyMedia
import LazyVideo
import Support
import Testing

@testable import LazyCodecs

private let opaque: UInt32 = 0xFF00_0000

/// A color that hardly another place has.
private func mixed(_ x: Int, _ y: Int, _ frame: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: (x &* 73_856_093) ^ (y &* 19_349_663) ^ (frame &* 83_492_791))
        | opaque
}

/// How many different colors, in a pattern that moves.
private func few(_ count: Int) -> @Sendable (Int, Int, Int) -> UInt32 {
    { x, y, frame in mixed((x * 7 + y * 11 + (x / 5 == frame ? 1 : 0)) % count, 0, 0) }
}

/// 256 colors without a pattern.
private func noise(_ x: Int, _ y: Int, _ frame: Int) -> UInt32 {
    var random = SplitMix(UInt64(x + 1000 * y + 1_000_000 * frame))
    return mixed(Int(random.next() % 256), 0, 0)
}

/// In which color type and depth files are written, and that they show what was given.
@Suite struct APNGModeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pictures: Pictures
        /// The color types that will do, and the depth.
        let types: Set<UInt8>
        var depth: UInt8?
        var hasTransparency: Bool?

        init(
            _ name: String, _ types: Set<UInt8>, depth: UInt8? = nil, clear: Bool? = nil,
            _ pictures: Pictures
        ) {
            (testDescription, self.types, self.depth) = (name, types, depth)
            (hasTransparency, self.pictures) = (clear, pictures)
        }
    }

    static let cases: [Case] = [
        Case("256 colors", [3], depth: 8, Pictures(3, 160, 120, paint: noise)),
        Case("17 colors", [3], depth: 8, Pictures(6, paint: few(17))),
        Case("two colors", [3], Pictures(3, paint: few(2))),
        Case(
            "16 colors without a pattern", [3], depth: 4,
            Pictures(3, 160, 120) { x, y, frame in
                noise(x, y, frame) & 0xFF0F_0000 | opaque
            }),
        Case(
            "one color a frame", [0, 3], depth: 1, clear: false,
            Pictures(2, 400, 300) { _, _, frame in frame == 0 ? opaque : .max }),
        Case(
            "grays that flow", [0], depth: 8,
            Pictures(5, 60, 50) { x, y, frame in
                opaque | UInt32((x * 2 + y * 2 + frame) & 255) * 0x01_0101
            }),
        Case(
            "colors that flow, 257 and more", [2], depth: 8, clear: false,
            Pictures(3, 60, 50) { x, y, frame in opaque | UInt32(x * 4 + frame) << 8 | UInt32(y * 5)
            }),
        Case(
            "few colors and holes", [3], clear: true,
            Pictures(6, hasAlpha: true) { x, y, frame in
                (x + frame) % 9 == 0 ? 0 : few(40)(x, y, frame)
            }),
        Case(
            "many colors and holes", [2], clear: true,
            Pictures(5, 40, 40, hasAlpha: true) { x, y, frame in
                (x + frame) % 9 == 0 ? 0 : mixed(x, y, 0)
            }),
        Case(
            "256 half clear colors", [3],
            Pictures(4, 160, 120, hasAlpha: true) { x, y, frame in
                let color = noise(x, y, frame)
                return color & 0xFFFFFF | (color & 255) << 24
            }),
        Case(
            "gray and alpha", [4], depth: 8,
            Pictures(4, 40, 40, hasAlpha: true) { x, y, frame in
                UInt32((x * 5 + frame) & 255) * 0x01_0101 | UInt32(y * 6) << 24
            }),
        Case(
            "many half clear colors", [6], depth: 8,
            Pictures(4, 40, 40, hasAlpha: true) { x, y, frame in
                mixed(x, y, frame) & 0xFFFFFF | UInt32(y * 6) << 24
            }),
        Case(
            "many colors, late a half clear one", [6],
            Pictures(9, 40, 40) { x, y, frame in
                frame == 8 && x == 3 ? 0x8000_00FF : mixed(x, y, frame)
            }),
        Case(
            "gray and alpha, late a color", [6],
            Pictures(9, 40, 40, hasAlpha: true) { x, y, frame in
                frame == 8 && x == 3
                    ? 0xFF00_00FF : UInt32((x * 5 + frame) & 255) * 0x01_0101 | UInt32(y * 6) << 24
            }),
        Case(
            "the color that stands for clear ones", [6],
            Pictures(9, 40, 40) { x, y, frame in
                frame == 8 && x == 3 ? 0xFFFB_02FD : mixed(x, y, frame)
            }),
    ]

    private func encode(_ media: Pictures, effort: Int, threads: Int = 2) async throws -> [UInt8] {
        let bytes = Locked<[UInt8]>([])
        try await APNGEncoder(effort: effort, threads: threads).encode(
            FrameSequence(media).frames(), info: media.info, loop: media.info.loop
        ) { piece in bytes.withLock { $0 += piece } }
        return bytes.withLock { $0 }
    }

    /// Fails where a decoder shows other pictures or times.
    private func verify(
        _ bytes: [UInt8], shows media: Pictures, by decoder: any MediaDecoding
    ) async throws {
        var decoders = DecoderRegistry(formats: [.png])
        decoders.register(decoder)
        let sequence = FrameSequence(try decoders.open(MemoryBytes(bytes)), delayRule: .raw)
        var count = 0
        for try await frame in sequence.frames() {
            #expect(Self.pixels(frame.bitmap) == Self.pixels(try media.picture(frame.index)))
            #expect(frame.duration == media.durations[frame.index].duration)
            count += 1
        }
        #expect(count == media.durations.count)
    }

    /// The pixels, those that are clear without the color that nobody sees.
    static func pixels(_ bitmap: Bitmap) -> [UInt32] {
        bitmap.withBytes { $0.bindMemory(to: UInt32.self).map { $0 >> 24 == 0 ? 0 : $0 } }
    }

    @Test(arguments: cases, [1, 5, 8])
    func `each kind of colors has its mode and is reproduced`(_ kind: Case, effort: Int)
        async throws
    {
        let bytes = try await encode(kind.pictures, effort: effort)
        if effort > 2 {
            #expect(kind.types.contains(bytes[25]), "type \(bytes[25])")
            if let depth = kind.depth { #expect(bytes[24] == depth) }
            if let clear = kind.hasTransparency {
                let names = APNGChunks.names(bytes)
                #expect(names.contains("tRNS") == clear)
            }
        }
        try await verify(bytes, shows: kind.pictures, by: APNGDecoder())
        try await verify(bytes, shows: kind.pictures, by: VideoDecoder())
    }

    @Test func `the number of threads changes no byte`() async throws {
        for kind in Self.cases {
            let one = try await encode(kind.pictures, effort: 5, threads: 1)
            #expect(try await encode(kind.pictures, effort: 5, threads: 7) == one)
        }
    }

    @Test func `a sprite over a scene is drawn alone, and the scene is restored`() async throws {
        let media = Pictures(8, 90, 60) { x, y, frame in
            (frame > 0 && x / 8 == frame * 3 % 11 && y / 8 == frame * 5 % 7)
                ? 0xFF00_00FF : few(200)(x * y, x, 99)
        }
        let bytes = try await encode(media, effort: 5)
        let controls = APNGChunks.controls(bytes)
        #expect(controls.contains { $0.disposal == 2 })
        #expect(controls.dropFirst().contains { $0.width * $0.height <= 64 })
        try await verify(bytes, shows: media, by: VideoDecoder())
    }

    @Test func `a sprite over nothing is cleared away`() async throws {
        let media = Pictures(8, 90, 60, hasAlpha: true) { x, y, frame in
            x / 8 == frame * 3 % 11 && y / 8 == frame * 5 % 7 ? few(9)(x, y, 0) : 0
        }
        let bytes = try await encode(media, effort: 5)
        #expect(APNGChunks.controls(bytes).contains { $0.disposal == 1 })
        try await verify(bytes, shows: media, by: VideoDecoder())
    }

    @Test func `what stays is left out`() async throws {
        let media = Pictures(4, 90, 60) { x, y, frame in
            (x * 7 + y * 3) % 29 == frame ? 0xFF00_00FF : few(250)(x * y, x, 99)
        }
        let bytes = try await encode(media, effort: 5)
        #expect(APNGChunks.controls(bytes).dropFirst().allSatisfy { $0.blend == 1 })
        #expect(APNGChunks.names(bytes).contains("tRNS"))
        try await verify(bytes, shows: media, by: VideoDecoder())
    }

    @Test func `equal frames are merged unless all are kept`() async throws {
        let hundredths = [3, 4, 5, 1, 1, 6, 7].map { MediaTime(ticks: $0, base: Rational(1, 100)) }
        let media = Pictures(7, durations: hundredths) { x, y, frame in
            few(20)(x, y, frame < 5 ? 0 : 1)
        }
        // One hundredth is shown as ten by browsers: a sum would be another time.
        #expect(
            APNGChunks.controls(try await encode(media, effort: 5)).map(\.seconds)
                == [0.12, 0.01, 0.01, 0.13])
        let bytes = Locked<[UInt8]>([])
        try await APNGEncoder(keepsFrames: true).encode(
            FrameSequence(media, delayRule: .raw).frames(), info: media.info, loop: .still
        ) { piece in bytes.withLock { $0 += piece } }
        try await verify(bytes.withLock { $0 }, shows: media, by: APNGDecoder())
    }
}

/// What the chunks of an animated PNG say, read without the code that is tested.
enum APNGChunks {
    struct Control {
        let width: Int
        let height: Int
        let seconds: Double
        let disposal: UInt8
        let blend: UInt8
    }

    private static func chunks(_ png: [UInt8]) -> [(name: String, data: ArraySlice<UInt8>)] {
        var chunks: [(String, ArraySlice<UInt8>)] = []
        var place = 8
        while place + 12 <= png.count {
            let length = number(png[place..<(place + 4)])
            let name = String(decoding: png[(place + 4)..<(place + 8)], as: UTF8.self)
            chunks.append((name, png[(place + 8)..<(place + 8 + length)]))
            place += 12 + length
        }
        return chunks
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    static func names(_ png: [UInt8]) -> [String] { chunks(png).map(\.name) }

    static func controls(_ png: [UInt8]) -> [Control] {
        chunks(png).filter { $0.name == "fcTL" }.map { chunk in
            let data = Array(chunk.data)
            return Control(
                width: number(data[4..<8]), height: number(data[8..<12]),
                seconds: Double(number(data[20..<22])) / Double(number(data[22..<24])),
                disposal: data[24], blend: data[25])
        }
    }
}
