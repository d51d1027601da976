import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Camera RAW files show their largest whole preview and say that it is one.
@Suite struct RAWPreviewTests {
    private static let formats = FormatRegistry([
        .jpeg, .tiff, .raw(jpeg: JPEGDecoder(), tiff: TIFFDecoder()),
    ])

    private func open(_ bytes: [UInt8]) throws -> any OpenedMedia {
        try Self.formats.decoders.open(MemoryBytes(bytes))
    }

    /// A gray picture as JPEG.
    private static func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
        try JPEGEncoder().encode(
            Bitmap(size: PixelSize(width: width, height: height), isOpaque: true) {
                $0.initializeMemory(as: UInt8.self, repeating: 255)
            })
    }

    /// A little-endian TIFF: its directories follow each other, and each has numbers or text.
    private struct Forge {
        private(set) var bytes: [UInt8]

        init(head: [UInt8] = [0x49, 0x49, 42, 0]) { bytes = head + [0, 0, 0, 0] }

        mutating func add(_ data: [UInt8]) -> Int {
            defer { bytes += data }
            return bytes.count
        }

        /// Writes a directory and links it at an offset.
        mutating func directory(
            _ numbers: [(tag: Int, value: Int)], maker: String = "", linkedAt link: Int = 4
        ) -> Int {
            let text = maker.isEmpty ? 0 : add(Array(maker.utf8) + [0])
            let start = bytes.count
            bytes.replaceSubrange(link..<link + 4, with: TIFFForge.little(start, 4))
            bytes += TIFFForge.little(numbers.count + (maker.isEmpty ? 0 : 1), 2)
            for (tag, value) in numbers {
                bytes +=
                    TIFFForge.little(tag, 2) + TIFFForge.little(4, 2) + TIFFForge.little(1, 4)
                    + TIFFForge.little(value, 4)
            }
            if !maker.isEmpty {
                bytes +=
                    TIFFForge.little(271, 2) + TIFFForge.little(2, 2)
                    + TIFFForge.little(maker.utf8.count + 1, 4)
                bytes += TIFFForge.little(text, 4)
            }
            bytes += [0, 0, 0, 0]
            return bytes.count - 4
        }
    }

    /// A sensor's page, then the directories of previews that lie in the file.
    private static func file(
        previews: [(Int, Int)], orientation: Int = 1
    ) throws -> (bytes: [UInt8], ends: [Int]) {
        var forge = Forge()
        let places = try previews.map { (width, height) in
            let data = try jpeg(width, height)
            return (forge.add(data), data.count)
        }
        var link = forge.directory(
            [(256, 4000), (257, 3000), (262, 32803), (273, 8), (274, orientation), (279, 8)],
            maker: "NIKON CORPORATION")
        for (start, length) in places {
            link = forge.directory([(259, 6), (513, start), (514, length)], linkedAt: link)
        }
        return (forge.bytes, places.map { $0.0 + $0.1 })
    }

    @Test func `the largest preview is shown with a sentence that names the kind`() throws {
        let media = try open(try Self.file(previews: [(160, 120), (640, 480), (32, 24)]).bytes)
        let info = media.info
        #expect(info.type == .cameraRAW && info.frameCount == 1 && !info.isTruncated)
        #expect(info.size == PixelSize(width: 640, height: 480))
        #expect(info.warnings.map(\.code) == [.note])
        #expect(info.warnings.first?.message.contains("(Nikon NEF)") == true)
        let frame = try media.makeReader(ReaderOptions()).nextFrame()
        #expect(frame?.bitmap.size == info.size)
    }

    @Test(arguments: [(1, 640, 480), (3, 640, 480), (6, 480, 640), (8, 480, 640)])
    func `a preview is turned as the file says`(
        orientation: Int, width: Int, height: Int
    ) throws {
        let file = try Self.file(previews: [(640, 480)], orientation: orientation)
        let media = try open(file.bytes)
        #expect(media.info.size == PixelSize(width: width, height: height))
        let frame = try media.makeReader(ReaderOptions()).nextFrame()
        #expect(frame?.bitmap.size == media.info.size)
    }

    /// The directories come first, so that a cut leaves them.
    private static func directoriesFirst(_ length: Int) throws -> (bytes: [UInt8], large: Int) {
        let (small, large) = (try jpeg(160, 120), try jpeg(640, 480))
        var forge = Forge()
        let end = 400
        var link = forge.directory(
            [(256, 4000), (257, 3000), (262, 32803), (273, 8), (279, 8)], maker: "SONY")
        link = forge.directory(
            [(513, end), (514, small.count)], linkedAt: link)
        _ = forge.directory(
            [(513, end + small.count), (514, large.count)], linkedAt: link)
        let fill = [UInt8](repeating: 0, count: end - forge.bytes.count)
        let all = forge.bytes + fill + small + large
        return (Array(all.prefix(length)), end + small.count)
    }

    @Test func `a cut file shows a smaller preview that is whole, or is refused`() throws {
        let (whole, large) = try Self.directoriesFirst(.max)
        #expect(try open(whole).info.size == PixelSize(width: 640, height: 480))
        for length in [large + 20, whole.count - 1, large] {
            let info = try open(Array(whole.prefix(length))).info
            #expect(info.size == PixelSize(width: 160, height: 120))
            #expect(info.isTruncated)
            #expect(info.warnings.map(\.code) == [.note, .truncated])
        }
        for length in [large - 1, 401, 300] {
            let error = #expect(throws: MediaError.self) { try open(Array(whole.prefix(length))) }
            #expect(error?.code == .truncated)
            #expect(error?.message.contains("(Sony ARW)") == true)
        }
    }

    @Test(arguments: [
        ("Fujifilm RAF", Array("FUJIFILMCCD-RAW ".utf8)), ("Sigma X3F", Array("FOVb".utf8)),
        ("Minolta MRW", [0] + Array("MRM".utf8)), ("Panasonic RW2", Array("IIU\0".utf8)),
        ("Olympus ORF", Array("IIRO".utf8)),
        ("Canon CR3", [0, 0, 0, 24] + Array("ftypcrx \0\0\0\u{1}crx isom".utf8)),
    ])
    func `previews that only the maker names are found`(name: String, head: [UInt8]) throws {
        let samples = [UInt8](repeating: 0x55, count: 5000) + [0xFF, 0xD8, 0xFF, 7, 0xFF, 0xD8]
        let start = head + [UInt8](repeating: 0, count: 64)
        let media = try open(
            start + samples + Self.jpeg(64, 48) + samples + Self.jpeg(320, 240) + samples)
        #expect(media.info.size == PixelSize(width: 320, height: 240))
        #expect(media.info.warnings.first?.message.contains("(\(name))") == true)
        let error = #expect(throws: MediaError.self) { try open(start + samples) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("(\(name)) without a preview") == true)
    }

    @Test func `a preview that is a page of TIFF is shown, and no page of the sensor`() throws {
        var forge = Forge()
        let pixels = forge.add([UInt8](repeating: 90, count: 20 * 10 * 3))
        let bits = forge.add([8, 0, 8, 0, 8, 0])
        let link = forge.directory(
            [(254, 1), (256, 20), (257, 10), (262, 2), (273, pixels), (277, 3), (279, 600)]
                + [(258, 8), (259, 1), (278, 10), (330, 0)], maker: "KODAK")
        _ = (bits, link)
        let media = try open(forge.bytes)
        #expect(media.info.size == PixelSize(width: 20, height: 10))
        #expect(media.info.type == .cameraRAW)
        #expect(media.info.hasAlpha == false && media.info.frameCount == 1)
    }

    @Test func `a TIFF of a camera without sensor data stays a TIFF`() throws {
        let bytes = TIFFForge(width: 8, height: 8, rowsPerStrip: 2).bytes
        #expect(try open(bytes).info.type == .tiff)
    }
}
