import LazyKit
import LazyMedia
import Testing

@Suite struct SniffingTests {
    static let table: [(String, [UInt8], MediaType)] = [
        ("GIF87a", "GIF87a" + [1, 0, 1, 0, 0, 0], .gif),
        ("GIF89a", "GIF89a" + [1, 0, 1, 0, 0, 0], .gif),
        ("JPEG", [0xFF, 0xD8, 0xFF, 0xE0] + zeros(12), .jpeg),
        ("PNG", png([("IHDR", 13), ("IDAT", 4), ("acTL", 8)]), .png),
        ("APNG", png([("IHDR", 13), ("tEXt", 300), ("acTL", 8), ("IDAT", 4)]), .apng),
        ("WebP lossy", riff("WEBP", "VP8 " + zeros(12)), .webp),
        ("WebP extended", riff("WEBP", "VP8X" + [10, 0, 0, 0, 0x10] + zeros(9)), .webp),
        ("WebP animated", riff("WEBP", "VP8X" + [10, 0, 0, 0, 0x12] + zeros(9)), .webpAnimation),
        ("AVI", riff("AVI ", "LIST" + zeros(8)), .avi),
        ("WAVE", riff("WAVE", "fmt " + zeros(200)), .wav),
        ("WAVE of 64 bits", "RF64" + zeros(20), .wav),
        ("other RIFF", riff("ACON", "anih" + zeros(200)), .unknown),
        ("M4A", ftyp("M4A ", "isom"), .m4a), ("M4B", ftyp("M4B "), .m4a),
        ("M4A beside another brand", ftyp("isom", "M4A "), .mp4),
        ("ID3 and MPEG audio", id3 + mpegAudio, .mp3), ("ID3 alone", id3, .mp3),
        ("ID3 and FLAC", id3 + "fLaC" + zeros(9), .flac), ("ID3 and ADTS", id3 + adts, .aac),
        ("MPEG audio of layer 3", mpegAudio + mpegAudio + mpegAudio, .mp3),
        (
            "MPEG audio of layer 2", (0..<4).flatMap { _ in [0xFF, 0xFD, 0x14, 0] + zeros(92) },
            .mp3
        ),
        ("one frame of MPEG audio", mpegAudio + zeros(400), .unknown),
        ("ADTS", adts + adts + adts, .aac),
        ("FLAC", "fLaC" + zeros(20), .flac), ("Monkey's Audio", "MAC " + zeros(20), .ape),
        ("WavPack", "wvpk" + zeros(20), .wavPack), ("True Audio", "TTA1" + zeros(20), .trueAudio),
        ("AIFF", "FORM" + zeros(4) + "AIFF" + zeros(9), .aiff),
        ("AIFF-C", "FORM" + zeros(4) + "AIFC" + zeros(9), .aiff),
        ("another form", "FORM" + zeros(4) + "ILBM" + zeros(9), .unknown),
        ("Opus", page("OpusHead") + zeros(40), .oggAudio),
        ("Vorbis behind a skeleton", page("fishead") + page("\u{1}vorbis") + zeros(40), .oggAudio),
        ("Theora", page("\u{80}theora") + page("\u{1}vorbis") + zeros(40), .ogg),
        ("Theora behind Vorbis", page("\u{1}vorbis") + page("Dtheora") + zeros(40), .ogg),
        ("WMA", asf([sound]), .wma), ("WMV", asf([sound, film]), .asf),
        ("ASF of no stream", asf([]), .asf),
        ("HEIC", ftyp("heic"), .heic), ("HEIX", ftyp("heix"), .heic),
        ("HEIM", ftyp("heim"), .heic), ("HEIS", ftyp("heis"), .heic),
        ("HEVC sequence", ftyp("hevc"), .heicSequence), ("HEVX", ftyp("hevx"), .heicSequence),
        ("HEVM", ftyp("hevm"), .heicSequence), ("HEVS", ftyp("hevs"), .heicSequence),
        ("mif1 alone", ftyp("mif1"), .heic), ("msf1 alone", ftyp("msf1"), .heicSequence),
        ("mif1 of AV1", ftyp("mif1", "miaf", "avif"), .avif),
        ("msf1 of AV1", ftyp("msf1", "avis"), .avifSequence),
        ("a sequence beside a picture", ftyp("msf1", "heic", "hevc", "mif1"), .heicSequence),
        ("a picture beside a sequence", ftyp("mif1", "hevc", "heic"), .heic),
        ("a sequence of AV1 beside a picture", ftyp("msf1", "avif", "avis"), .avifSequence),
        ("minimized tables of AV1", [0, 0, 0, 16] + Array("ftypmif3avif".utf8), .avif),
        ("minimized tables of HEVC", [0, 0, 0, 16] + Array("ftypmif3heic".utf8), .heic),
        ("mif1 that is ISO base media, too", ftyp("mif1", "iso8", "heic"), .heic),
        ("msf1 that is ISO base media, too", ftyp("msf1", "iso8", "avis"), .avifSequence),
        ("AVIF", ftyp("avif", "mif1"), .avif), ("AVIF sequence", ftyp("avis"), .avifSequence),
        ("isom", ftyp("isom"), .mp4), ("iso2", ftyp("iso2"), .mp4), ("iso3", ftyp("iso3"), .mp4),
        ("iso9", ftyp("iso9"), .mp4), ("mp41", ftyp("mp41"), .mp4), ("mp42", ftyp("mp42"), .mp4),
        ("mmp4", ftyp("mmp4"), .mp4), ("avc1", ftyp("avc1"), .mp4), ("dash", ftyp("dash"), .mp4),
        ("3gp4", ftyp("3gp4"), .mp4), ("unheard of", ftyp("zzzz"), .mp4),
        ("minor brand decides", ftyp("zzzz", "qt  "), .mov),
        ("M4V", ftyp("M4V "), .m4v), ("M4VH", ftyp("M4VH"), .m4v), ("M4VP", ftyp("M4VP"), .m4v),
        ("QuickTime", ftyp("qt  "), .mov),
        ("moov first", box("moov"), .mov), ("mdat first", box("mdat"), .mov),
        ("wide first", box("wide"), .mov), ("free first", box("free"), .mov),
        ("skip first", box("skip"), .mov), ("fragment", box("moof"), .mp4),
        ("WebM", ebml("webm"), .webm), ("Matroska", ebml("matroska"), .matroska),
        ("Ogg", "OggS" + zeros(12), .ogg), ("FLV", "FLV" + [1] + zeros(12), .flv),
        ("Y4M", "YUV4MPEG2 W2 H2\n" + [], .y4m),
        ("MPEG-TS", transport(at: 0, step: 188), .mpegTS),
        ("M2TS", transport(at: 4, step: 192), .mpegTS),
        ("IVF", "DKIF" + zeros(28), .ivf), ("MPEG-PS", [0, 0, 1, 0xBA] + zeros(12), .mpegPS),
        ("ASF", [0x30, 0x26, 0xB2, 0x75] + zeros(12), .asf),
        ("one 0x47 only", [0x47] + zeros(600), .unknown),
        ("TIFF II", [0x49, 0x49, 0x2A, 0] + zeros(12), .tiff),
        ("TIFF MM", [0x4D, 0x4D, 0, 0x2A] + zeros(12), .tiff),
        ("QOI", "qoif" + zeros(12), .qoi), ("PPM", "P6 2 2 255\n" + zeros(12), .pnm),
        ("PPM and a comment", "P6#a\n2 2 255\n" + zeros(12), .pnm),
        ("PAM", "P7\nWIDTH 2\n" + zeros(12), .pnm), ("PBM in text", "P1\n2 2\n1 0 0 1" + [], .pnm),
        ("P and a digit", "P6x" + zeros(12), .unknown),
        ("BMP", "BM" + zeros(14), .bmp), ("ICO", [0, 0, 1, 0, 1, 0] + zeros(12), .ico),
        ("JP2", [0, 0, 0, 12] + "jP  " + [13, 10, 0x87, 10] + zeros(4), .jpeg2000),
        ("J2K codestream", [0xFF, 0x4F, 0xFF, 0x51] + zeros(12), .jpeg2000),
        ("JXL box", [0, 0, 0, 12] + "JXL " + [13, 10, 0x87, 10] + zeros(4), .jpegXL),
        ("JXL codestream", [0xFF, 0x0A] + zeros(12), .jpegXL),
        // Of 8x8 pixels; then metadata, extra fields, no size of its own, no preview, an animation.
        ("JXL animation", [0xFF, 0x0A, 0x41, 4, 1] + zeros(28), .jpegXLAnimation),
        ("JXL animation in boxes", jxl("jxlc", []) + zeros(28), .jpegXLAnimation),
        ("JXL animation in parts", jxl("jxlp", zeros(4)) + zeros(28), .jpegXLAnimation),
        ("MXF", mxf + zeros(20), .mxf),
        ("NUT", "nut/multimedia container" + zeros(8), .nut),
        ("DHAV", "DHAV" + [0xFD, 0, 0, 0] + zeros(20), .dhav),
        ("DHAV behind a header", "DAHUA" + zeros(20), .dhav),
        ("no DHAV", "DHAV" + [0x20, 0, 0, 0] + zeros(20), .unknown),
        ("RealMedia", ".RMF" + zeros(14), .realMedia), ("Flash", "FWS" + [6] + zeros(20), .swf),
        ("compressed Flash", "CWS" + [6] + zeros(20), .swf),
        ("DV of NTSC", [0x1F, 7, 0, 0x3F] + zeros(20), .dv),
        ("DV of PAL", [0x1F, 7, 0, 0xBF] + zeros(20), .dv),
        ("H.264", [0, 0, 0, 1, 0x67, 0x64, 0, 10] + zeros(20), .h264),
        (
            "H.264 behind messages",
            [0, 0, 1, 9, 0x10] + code + [6, 5, 9] + code + [0x27, 66, 0, 30] + zeros(9), .h264
        ),
        ("HEVC", [0, 0, 0, 1, 0x40, 1, 12, 1, 0xFF, 0xFF] + zeros(20), .hevc),
        ("AV1", [0x12, 0, 0x0A, 10] + zeros(20), .av1),
        ("AV1 with lengths", [30, 28, 1, 0x10, 11, 8] + zeros(20), .av1AnnexB),
        ("MPEG-2 video", [0, 0, 1, 0xB3, 10, 0, 0x60, 0x13] + zeros(20), .mpegVideo),
        ("MPEG-4 video", [0, 0, 1, 0xB0, 1] + code + [0xB5] + zeros(20), .mpeg4Video),
        ("MPEG-4 video of a layer", [0, 0, 1, 0] + code + [0x20] + zeros(20), .mpeg4Video),
        (
            "MPEG-PS without packs",
            (0..<4).flatMap { _ in code + [0xE0, 0, 4] + zeros(4) } + zeros(20), .mpegPS
        ),
        ("TS from within a packet", zeros(77) + transport(at: 0, step: 188, count: 11), .mpegTS),
        ("TS with error correction", transport(at: 0, step: 204, count: 11), .mpegTS),
        ("text", Array("Hello, this is only text. ".utf8), .unknown),
    ]

    /// What is only told by many bytes.
    static let late: [(String, [UInt8], MediaType)] = [
        ("MXF behind other bytes", zeros(9) + mxf + zeros(1 << 16), .mxf),
        ("H.264 of no profile", [0, 0, 0, 1, 0x67, 1, 0, 10] + zeros(1 << 16), .unknown),
        ("HEVC of no VPS", [0, 0, 0, 1, 0x40, 1, 12, 1, 0, 0] + zeros(1 << 16), .unknown),
        (
            "MPEG video without a size", [0, 0, 1, 0xB3, 0, 0, 0x60, 0x13] + zeros(1 << 16),
            .unknown
        ),
        ("MPEG-PS behind other bytes", zeros(90) + pack + code + [0xBB] + zeros(1 << 16), .mpegPS),
        ("a pack alone", [7] + zeros(90) + pack + zeros(1 << 16), .unknown),
    ]

    @Test(arguments: table + late) func `each magic number names its type`(
        row: (name: String, bytes: [UInt8], type: MediaType)
    ) throws {
        #expect(sniff(row.bytes) == .known(row.type), "\(row.name)")
        #expect(try MediaType.sniffing(MemoryBytes(row.bytes)) == row.type, "\(row.name)")
    }

    /// A prefix either suffices or requests more than it has, and then that is enough.
    @Test(arguments: table) func `a prefix requests more bytes until it suffices`(
        row: (name: String, bytes: [UInt8], type: MediaType)
    ) {
        var length = 0
        var steps = 0
        while case .needsBytes(let count) = sniff(Array(row.bytes.prefix(length)), isWhole: false) {
            #expect(count > length, "\(row.name)")
            steps += 1
            guard count <= row.bytes.count, steps < 20 else { break }
            length = count
        }
        #expect(steps < 20)
        for length in 0...row.bytes.count {
            guard case .known(let type) = sniff(Array(row.bytes.prefix(length)), isWhole: false)
            else { continue }
            #expect(type == row.type, "\(row.name) at \(length)")
        }
    }

    @Test(arguments: table) func `a file truncated at any byte gets a type`(
        row: (name: String, bytes: [UInt8], type: MediaType)
    ) throws {
        for length in 0..<row.bytes.count {
            guard case .known = sniff(Array(row.bytes.prefix(length)), isWhole: true) else {
                Issue.record("\(row.name) cut at \(length) wants more bytes than there are")
                return
            }
        }
    }

    @Test func `every type has a unique name and is recognized`() {
        #expect(Set(MediaType.all.map(\.name)).count == MediaType.all.count)
        for type in MediaType.all {
            // Motion JPEG begins as JPEG does, sound in Matroska as films do, most camera RAW as TIFF (RAWPreviewTests).
            #expect(
                Self.table.contains { $0.2 == type }
                    || [.mjpeg, .matroskaAudio].contains(type) || type.name == "camera-raw",
                "\(type) has no row in the table")
        }
    }

    @Test func `a deciding chunk after much metadata is found`() throws {
        let far = png([("IHDR", 13), ("iCCP", 200_000), ("acTL", 8), ("IDAT", 4)])
        #expect(try MediaType.sniffing(MemoryBytes(far)) == .apng)
    }

    /// Pictures one after the other, and whether they are a film.
    @Test(
        arguments: [
            ([picture(8)], false), ([picture(8), picture(8)], true),
            ([picture(8), zeros(20), picture(8)], true),
            ([picture(8), zeros(99), picture(8)], false),
            ([picture(8), picture(9)], false), ([picture(8), [1, 2], picture(8)], false),
            ([picture(8, [0xFF, 0xE1, 0, 4, 1, 2]), picture(8)], false),
            ([picture(8, [0xFF, 0xE2, 0, 6] + Array("MPF\u{0}".utf8)), picture(8)], false),
            ([picture(8, [0xFF, 0xE0, 0, 4, 0xFF, 0xD9]), picture(8)], true),
        ] as [([[UInt8]], Bool)])
    func `pictures of one size one after the other are a film`(
        pictures: [[UInt8]], isFilm: Bool
    ) throws {
        let bytes = try MemoryBytes(pictures.flatMap { $0 })
        #expect(try MediaType.sniffing(bytes) == (isFilm ? .mjpeg : .jpeg))
        for length in 0..<bytes.count {
            let cut = try MemoryBytes(Array(pictures.flatMap { $0 }.prefix(length)))
            #expect([.unknown, .jpeg, .mjpeg].contains(try MediaType.sniffing(cut)))
        }
    }

    private func sniff(_ bytes: [UInt8], isWhole: Bool = true) -> MediaType.Sniffed {
        FormatRegistry.standard.sniffer.sniff(bytes.span.bytes, isWhole: isWhole)
    }
}

private func + (left: String, right: [UInt8]) -> [UInt8] { Array(left.utf8) + right }
private func + (left: [UInt8], right: String) -> [UInt8] { left + Array(right.utf8) }
private let code: [UInt8] = [0, 0, 1]
private let mxf: [UInt8] = [6, 0x0E, 0x2B, 0x34, 2, 5, 1, 1, 0x0D, 1, 2, 1, 1, 2]
/// A pack of MPEG-2 without stuffing.
private let pack: [UInt8] = [0, 0, 1, 0xBA, 0x44] + zeros(8) + [0xF8]
/// A JPEG of some height, with segments before its frame.
private func picture(_ height: UInt8, _ segments: [UInt8] = []) -> [UInt8] {
    [0xFF, 0xD8] + segments + [0xFF, 0xC0, 0, 8, 8, 0, height, 0, 8, 1]
        + [0xFF, 0xDA, 0, 4, 1, 0] + [1, 0xFF, 0, 2, 0xFF, 0xD0, 3, 0xFF, 0xD9]
}
/// A tag of 20 bytes.
private let id3: [UInt8] = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 20] + zeros(20)
/// A frame of 32 kbit/s and 44.1 kHz.
private let mpegAudio: [UInt8] = [0xFF, 0xFB, 0x10, 0] + zeros(100)
private let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x40, 2, 0x1F, 0xFC] + zeros(9)
private func page(_ codec: String) -> [UInt8] {
    // The first byte of Theora's header is no character of UTF-8.
    let name = codec.unicodeScalars.map { UInt8($0.value) }
    return "OggS" + [0, 2] + zeros(20) + [1, 20] + name + zeros(20 - name.count)
}
/// The kinds of streams in ASF, by the first bytes of their names.
private let sound: [UInt8] = [
    0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD, 0x00, 0x80, 0x5F, 0x5C, 0x44, 0x2B,
]
private let film: [UInt8] = [0xC0] + sound.dropFirst()
private func asf(_ streams: [[UInt8]]) -> [UInt8] {
    let objects = streams.flatMap { stream -> [UInt8] in
        let name: [UInt8] = [
            0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20,
            0x53, 0x65,
        ]
        return name + [78, 0, 0, 0, 0, 0, 0, 0] + stream + zeros(38)
    }
    return [0x30, 0x26, 0xB2, 0x75] + zeros(12) + [UInt8(30 + objects.count), 0] + zeros(12)
        + objects
}
private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
private func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}
private func png(_ chunks: [(String, Int)]) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + chunks.flatMap { big($0.1) + ($0.0 + zeros($0.1 + 4)) }
}
private func riff(_ form: String, _ content: [UInt8]) -> [UInt8] {
    "RIFF" + [100, 0, 0, 0] + (form + content)
}
private func box(_ name: String) -> [UInt8] { big(16) + (name + zeros(8)) }
private func ftyp(_ brands: String...) -> [UInt8] {
    let content = Array(brands[0].utf8) + zeros(4) + brands.dropFirst().flatMap { Array($0.utf8) }
    return big(8 + content.count) + ("ftyp" + content)
}
private func jxl(_ name: String, _ beginning: [UInt8]) -> [UInt8] {
    let head =
        big(12) + ("JXL " + [13, 10, 0x87, 10]) + big(20)
        + ("ftypjxl " + zeros(4) + "jxl ") + (big(12) + ("Exif" + zeros(4)))
    return head + (big(0) + (name + beginning + [0xFF, 0x0A, 0x41, 4, 1]))
}
private func ebml(_ type: String) -> [UInt8] {
    let elements: [UInt8] = [0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x80 + UInt8(type.utf8.count)] + type
    return [0x1A, 0x45, 0xDF, 0xA3, 0x80 + UInt8(elements.count)] + elements
}
private func transport(at first: Int, step: Int, count: Int = 3) -> [UInt8] {
    var bytes = zeros(count * step)
    for packet in 0..<count { bytes[first + packet * step] = 0x47 }
    return bytes
}
