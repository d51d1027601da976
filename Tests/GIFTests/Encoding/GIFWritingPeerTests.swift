import CGIF
import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Written files, read by programs and libraries that are not ours.
@Suite(.ownThreads) struct GIFWritingPeerTests {
    /// Animations that make use of all that is written: few and many colors, holes, long delays.
    static func animation(_ number: Int) throws -> (pictures: [Bitmap], durations: [MediaTime]) {
        let pictures =
            switch number {
            case 0: try GIFEncoderTests.moving(6, width: 150, height: 100)
            case 1:
                try GIFEncoderTests.random(
                    5, colors: 40, frames: 6, width: 33, height: 21, isOpaque: true)
            case 2:
                try GIFEncoderTests.random(
                    6, colors: 9, frames: 6, width: 30, height: 40, isOpaque: false)
            case 3:
                try GIFEncoderTests.random(
                    8, colors: 256, frames: 5, width: 64, height: 64, isOpaque: true)
            default:
                try (0..<5).map { frame in
                    try picture(60, 20) { x, y in
                        let isHole = (x + frame * 7) % 20 < 8
                        return isHole ? 0 : 0xFF00_0000 | UInt32(x * 4) << 8 | UInt32(y * 9)
                    }
                }
            }
        let durations = pictures.indices.map {
            MediaTime.milliseconds([50, 120, 30, 2000][$0 % 4])
        }
        return (pictures, durations)
    }

    static func write(_ number: Int, to folder: Scratch) async throws -> String {
        let (pictures, durations) = try animation(number)
        let bytes = try await writeGIF(pictures, durations: durations, plays: 4)
        return folder.write(bytes, "written.gif")
    }

    private func frames(of path: String) throws -> [Frame] {
        let media = try GIFDecoder().open(FileBytes(path: path), type: .gif, limits: .local)
        let reader = try media.makeReader(ReaderOptions(limits: .local))
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        return frames
    }

    /// Raw RGBA of a peer as pictures, with transparent pixels as zeros.
    private func pictures(_ bytes: [UInt8], like frames: [Frame]) -> [[UInt8]] {
        let count = frames.first?.bitmap.byteCount ?? 1
        return Swift.stride(from: 0, to: bytes.count, by: count).map { start in
            var picture = Array(bytes[start..<min(start + count, bytes.count)])
            for place in Swift.stride(from: 0, to: picture.count - 3, by: 4)
            where picture[place + 3] < 128 {
                for channel in 0..<4 { picture[place + channel] = 0 }
            }
            return picture
        }
    }

    @Test(.needs("ffmpeg"), arguments: 0..<5)
    func `ffmpeg shows the same pixels`(number: Int) async throws {
        let folder = Scratch()
        let path = try await Self.write(number, to: folder)
        let own = try frames(of: path)
        let raw = Peer.output(
            of: "ffmpeg -v error -nostdin -i \(path) -fps_mode passthrough"
                + " -pix_fmt rgba -f rawvideo -")
        #expect(pictures(raw, like: own) == own.map(\.bitmap.visibleBytes))
    }

    @Test(.needs("convert"), arguments: 0..<5)
    func `ImageMagick shows the same pixels`(number: Int) async throws {
        let folder = Scratch()
        let path = try await Self.write(number, to: folder)
        let own = try frames(of: path)
        let raw = Peer.output(of: "convert \(path) -coalesce -depth 8 rgba:-")
        #expect(pictures(raw, like: own) == own.map(\.bitmap.visibleBytes))
    }

    @Test(.needs("gifsicle"), arguments: 0..<5)
    func `gifsicle reports no warning`(number: Int) async throws {
        let folder = Scratch()
        let path = try await Self.write(number, to: folder)
        let own = try frames(of: path)
        let report = String(decoding: Peer.output(of: "gifsicle -I \(path) 2>&1"), as: UTF8.self)
        #expect(!report.contains("warning") && !report.contains("error"))
        #expect(report.contains("loop count 3"))
        #expect(report.contains(" \(own.count) image"))
        let delays = report.split(separator: "delay ").dropFirst().map { part in
            part.prefix { $0.isNumber || $0 == "." }
        }
        let wanted = own.map { $0.timing.duration.microseconds / 10_000 }
        #expect(delays.compactMap { Double($0) }.map { Int64(($0 * 100).rounded()) } == wanted)
        _ = Peer.output(of: "gifsicle --unoptimize \(path) -o \(folder.path)/whole.gif 2>&1")
        let whole = try frames(of: folder.path + "/whole.gif")
        #expect(whole.map(\.bitmap.visibleBytes) == own.map(\.bitmap.visibleBytes))
    }

    @Test(arguments: 0..<5)
    func `giflib reads every image to its last index`(number: Int) async throws {
        let folder = Scratch()
        let path = try await Self.write(number, to: folder)
        var status: CInt = 0
        let file = try #require(DGifOpenFileName(path, &status))
        defer { DGifCloseFile(file, nil) }
        #expect(DGifSlurp(file) == GIF_OK)
        #expect(Int(file.pointee.ImageCount) == (try frames(of: path).count))
    }

    @Test(arguments: 1...255 as ClosedRange<UInt8>)
    func `codes of any length are reproduced`(seed: UInt8) throws {
        // Every depth of palette, and lengths around those at which codes grow a bit.
        var random = SplitMix(UInt64(seed))
        let colors = Int.random(in: 1...255, using: &random)
        let count = seed < 100 ? Int(seed) * 3 : Int.random(in: 1...20_000, using: &random)
        let variety = seed % 3 == 0 ? 1 : seed % 3 == 1 ? min(colors, 3) : colors
        let symbols = (0..<count).map { _ in UInt16.random(in: 0..<UInt16(variety), using: &random)
        }
        let table = GIFColorTable((0..<UInt32(colors)).map { 0xFF00_0000 | $0 })
        var encoder = LZWEncoder()
        let rect = PixelRect(x: 0, y: 0, width: count, height: 1)
        let blocks = symbols.withUnsafeBufferPointer { symbols in
            symbols.baseAddress.map { encoder.compress($0, stride: count, rect, table) } ?? []
        }
        var codes = GIFCodeBytes()
        codes.removeAll(reserving: blocks.count)
        var place = 0
        while place < blocks.count {
            let length = Int(blocks[place])
            #expect(length > 0)
            blocks.withUnsafeBytes { bytes in
                if let first = bytes.baseAddress { codes.append(first + place + 1, count: length) }
            }
            place += length + 1
        }
        var raster = try GIFRaster()
        try raster.removeAll(reserving: count)
        var decoder = LZWDecoder()
        let ending = codes.withBytes { bytes in
            decoder.decompress(
                bytes, minimumCodeSize: table.codeSize, into: &raster, limit: count
            ) { false }
        }
        #expect(ending == .complete)
        let same = symbols.indices.allSatisfy { UInt16(raster.indices[$0]) == symbols[$0] }
        #expect(same)
    }
}
