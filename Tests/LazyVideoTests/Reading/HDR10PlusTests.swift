import LazyMedia
import LazyVideo
import Support
import Testing

/// HDR10+ is told by its name, wherever a file has its messages, and shown as HDR10.
@Suite(.ownThreads) struct HDR10PlusTests {
    /// The message of SMPTE ST 2094-40 for one window; ffprobe confirms that it is one.
    private static let message: [UInt8] = [
        // United States, Samsung, code 1, application 4 of version 1.
        0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04, 0x01,
        // 400 cd/m², maxima of 100, an average, one percentile, no curves.
        0x40, 0x00, 0x0C, 0x80, 0x00, 0xC8, 0x00, 0x64, 0x00, 0x32, 0x00, 0x0C, 0x87, 0x18, 0x01,
        0x90, 0x05, 0x00,
    ]
    private let scratch = Scratch()

    private func encode(
        _ arguments: String, _ tags: ColorTags = .pq, as name: String
    ) -> [UInt8] {
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x64:r=5:d=0.6 -vf"
                + " format=yuv420p10le,\(tags.filter) \(arguments) \(scratch.path(name)) </dev/null 2>&1"
        )
        return scratch[name]
    }

    private func remuxed(_ bytes: [UInt8], from source: String, to name: String) -> [UInt8] {
        let path = scratch.write(bytes, source)
        _ = Peer.output(
            of: "ffmpeg -v error -y -i \(path) -c copy \(scratch.path(name)) </dev/null 2>&1")
        return scratch[name]
    }

    private func format(_ bytes: [UInt8]) throws -> String? {
        try opened(MemoryBytes(bytes)).info.hdrFormat
    }

    // MARK: - HEVC

    /// A stream with a message of the type 4 before its first slice.
    private func hevc(_ message: [UInt8], _ tags: ColorTags = .pq) -> [UInt8] {
        let plain = encode(
            "-c:v libx265 -x265-params log-level=-1:colorprim=bt2020:colormatrix=bt2020nc"
                + ":transfer=\(tags.transfer) -f hevc", tags, as: "a.hevc")
        var unit: [UInt8] = [39 << 1, 1]
        for byte in [4, UInt8(message.count)] + message + [0x80] {
            // Two zeros and a number up to 3 would be read as a start code.
            if unit.suffix(2) == [0, 0], byte <= 3 { unit.append(3) }
            unit.append(byte)
        }
        let code: [UInt8] = [0, 0, 1]
        let slice = plain.indices.first { place in
            plain[place...].starts(with: code) && place + 3 < plain.count
                && plain[place + 3] >> 1 & 63 < 32
        }
        guard let slice else { return [] }
        return Array(plain[..<slice]) + code + unit + Array(plain[slice...])
    }

    @Test(.needs("ffmpeg", "ffprobe"), arguments: ["a.mp4", "a.mkv", "a.ts"])
    func `a message of HEVC names HDR10+`(name: String) throws {
        let movie = remuxed(hevc(Self.message), from: "b.hevc", to: "b.mp4")
        let bytes = remuxed(movie, from: "b.mp4", to: name)
        let told = Peer.output(
            of: "ffprobe -v error -show_frames \(scratch.path(name)) </dev/null")
        #expect(String(decoding: told, as: UTF8.self).contains("SMPTE2094-40 (HDR10+)"))
        #expect(try format(bytes) == "HDR10+")
    }

    @Test(.needs("ffmpeg"))
    func `other registered messages name nothing`() throws {
        for place in [0, 2, 4, 5] {
            var message = Self.message
            message[place] ^= 1
            let movie = remuxed(hevc(message), from: "b.hevc", to: "b.mp4")
            #expect(try format(movie) == "HDR10")
        }
        for length in [1, 5] {
            let movie = remuxed(
                hevc(Array(Self.message.prefix(length))), from: "b.hevc", to: "b.mp4")
            #expect(try format(movie) == "HDR10")
        }
        let hlg = hevc(Self.message, .hlg)
        #expect(try format(remuxed(hlg, from: "b.hevc", to: "b.mp4")) == "HLG")
    }

    @Test(.needs("ffmpeg")) func `HDR10+ has the colors of HDR10`() throws {
        let stream = encode(
            "-c:v libx265 -x265-params log-level=-1:colorprim=bt2020:colormatrix=bt2020nc"
                + ":transfer=smpte2084 -f hevc", as: "a.hevc")
        let plain = remuxed(stream, from: "c.hevc", to: "c.mp4")
        let named = remuxed(hevc(Self.message), from: "b.hevc", to: "b.mp4")
        let pictures = try [plain, named].map { try frames(of: opened(MemoryBytes($0))) }
        #expect(pictures[0].map(\.bitmap) == pictures[1].map(\.bitmap))
        #expect(try format(plain) == "HDR10")
    }

    // MARK: - AV1

    @Test(.needs("ffmpeg"), arguments: ["a.mp4", "a.mkv"])
    func `a metadata unit of AV1 names HDR10+`(name: String) throws {
        let stream = encode("-c:v libaom-av1 -cpu-used 8 -crf 40 -f ivf", as: "a.ivf")
        // The file's header, the frame's, a delimiter, and the sequence header with its length.
        let place = 32 + 12 + 2 + 2 + Int(stream[32 + 12 + 3])
        let content = [4] + Self.message + [0x80]
        let unit = [5 << 3 | 2, UInt8(content.count)] + content
        var named = stream
        named.insert(contentsOf: unit, at: place)
        let size = MotionForge.little(
            (0..<4).reduce(0) { $0 | Int(stream[32 + $1]) << (8 * $1) } + unit.count, 4)
        named.replaceSubrange(32..<36, with: size)
        #expect(try format(remuxed(named, from: "b.ivf", to: name)) == "HDR10+")
        #expect(try format(remuxed(stream, from: "c.ivf", to: name)) == "HDR10")
    }

    // MARK: - Matroska

    @Test(.needs("ffmpeg"), arguments: [(4, "HDR10+"), (3, "HDR10"), (1, "HDR10")])
    func `an addition to a block of Matroska names HDR10+`(id: UInt8, name: String) throws {
        let stream = encode("-c:v libvpx-vp9 -profile:v 2 -frames:v 1 -f ivf", as: "a.ivf")
        let frame = Array(stream[44...])
        let colors =
            element([0x55, 0xB1], [9]) + element([0x55, 0xBA], [16]) + element([0x55, 0xBB], [9])
        let video =
            element([0xB0], [64]) + element([0xBA], [64]) + element([0x55, 0xB0], colors)
        let entry =
            element([0xD7], [1]) + element([0x73, 0xC5], [1]) + element([0x83], [1])
            + element([0x86], Array("V_VP9".utf8)) + element([0xE0], video)
        let addition = element([0xEE], [id]) + element([0xA5], Self.message)
        let group =
            element([0xA1], [0x81, 0, 0, 0] + frame)
            + element([0x75, 0xA1], element([0xA6], addition))
        let segment =
            element([0x15, 0x49, 0xA9, 0x66], element([0x2A, 0xD7, 0xB1], [0x0F, 0x42, 0x40]))
            + element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], entry))
            + element([0x1F, 0x43, 0xB6, 0x75], element([0xE7], [0]) + element([0xA0], group))
        let file =
            element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("webm".utf8)))
            + element([0x18, 0x53, 0x80, 0x67], segment)
        let media = try opened(MemoryBytes(file))
        #expect(media.info.hdrFormat == name)
        #expect(try frames(of: media).count == 1)
    }

    /// An EBML element with a length of four bytes.
    private func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
        id + HEICForge.number(1 << 28 | content.count, 4) + content
    }
}
