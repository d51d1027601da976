/// Formats that only large libraries read: a build without those still names their types.
///
/// The module that reads one adds decoders and encoders to a copy.
extension MediaFormat {
    /// MPEG-4, by its brands or as a fragment.
    package static let mp4 = MediaFormat(
        name: "mp4", types: [.mp4, .m4v],
        signatures: ["M4V ", "M4VH", "M4VP"].map { .brand($0, .m4v) }
            + mp4Brands.map { .brand($0, .mp4) }
            + ["styp", "moof", "sidx"].map { .firstBox($0, .mp4) } + [.otherBrands(.mp4)],
        readsRanges: true)

    private static let mp4Brands =
        ["isom", "avc1", "dash", "mmp4", "mp41", "mp42", "f4v ", "MSNV", "cmfc", "av01"]
        + ["3gp4", "3gp5", "3gp6", "3gp7", "3g2a", "3g2b", "3g2c"] + (2...9).map { "iso\($0)" }

    /// WebM.
    package static let webm = MediaFormat(
        name: "webm", types: [.webm], signatures: [.ebml("webm", .webm)], readsRanges: true)

    /// All formats of this kind; MP4 and WebM first.
    package static let codecFree: [MediaFormat] =
        [
            mp4, webm,
            // Before `ftyp` QuickTime is told by its first atom (QuickTime File Format, "Movie atoms").
            MediaFormat(
                name: "mov", types: [.mov],
                signatures: [.brand("qt  ", .mov)]
                    + ["moov", "mdat", "wide", "free", "skip", "pnot"].map { .firstBox($0, .mov) },
                readsRanges: true),
            MediaFormat(
                name: "matroska", types: [.matroska, .matroskaAudio],
                signatures: [.ebml(nil, .matroska)],
                readsRanges: true),
            MediaFormat(
                name: "heic", types: [.heic, .heicSequence],
                signatures: ["heic", "heix", "heim", "heis"].map { .brand($0, .heic) }
                    + ["hevc", "hevx", "hevm", "hevs"].map { .brand($0, .heicSequence) }
                    + [.commonBrand("msf1", .heicSequence), .commonBrand("mif1", .heic)]),
            MediaFormat(
                .jpeg2000,
                [
                    .bytes([0xFF, 0x4F, 0xFF, 0x51], .jpeg2000),
                    // The signature box, up to its first line feed.
                    .bytes([0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A], .jpeg2000),
                ]),
            MediaFormat(.qoi, [.text("qoif", .qoi)]),
            MediaFormat(
                .pnm,
                (1...7).map { kind in
                    .bytes(Array("P\(kind)".utf8), .pnm) { bytes in
                        guard let next = bytes.byte(at: 2) else { return .needsBytes(3) }
                        return .known(" \t\r\n#".utf8.contains(next) ? .pnm : .unknown)
                    }
                }, isCompressed: false),
            MediaFormat(.avi, [.riff("AVI ", .avi), .riff("AVIX", .avi)]),
            MediaFormat(
                name: "ogg", types: [.ogg, .oggAudio],
                signatures: [.bytes(Array("OggS".utf8), .ogg, SongSignatures.sniffOgg)]),
            MediaFormat(.flv, [.text("FLV\u{1}", .flv)]),
            MediaFormat(
                .mpegTS,
                [
                    .beginning(.mpegTS, sniffTransportStream),
                    .late(.mpegTS, LateBeginning.sniffTransportStream),
                ]),
            MediaFormat(
                .mpegPS,
                [
                    .bytes([0, 0, 1, 0xBA], .mpegPS),
                    .late(.mpegPS, LateBeginning.sniffProgramStream),
                ]),
            MediaFormat(
                name: "asf", types: [.asf, .wma],
                signatures: [.bytes([0x30, 0x26, 0xB2, 0x75], .asf, SongSignatures.sniffASF)]),
            MediaFormat(.y4m, [.text("YUV4MPEG2", .y4m)], isCompressed: false),
            MediaFormat(.ivf, [.text("DKIF", .ivf)]),
            MediaFormat(
                .mxf,
                [.bytes(LateBeginning.partition, .mxf), .late(.mxf, LateBeginning.sniffMXF)]),
            MediaFormat(.nut, [.text("nut/multimedia container", .nut)]),
            // Recordings begin with a frame, or with a header of the maker's name before the first.
            MediaFormat(
                .dhav,
                [0xF0, 0xF1, 0xFC, 0xFD].map { .bytes(Array("DHAV".utf8) + [$0], .dhav) }
                    + [.text("DAHUA", .dhav)]),
            MediaFormat(.realMedia, [.text(".RMF", .realMedia)]),
            MediaFormat(.swf, [.text("FWS", .swf), .text("CWS", .swf)]),
            // The first block of a DIF sequence, of NTSC or PAL (IEC 61834-2, 11.4).
            MediaFormat(
                .dv, [0x3F, 0xBF].map { .bytes([0x1F, 0x07, 0x00, $0], .dv) }, isCompressed: false),
            MediaFormat(
                name: "av1", types: [.av1, .av1AnnexB],
                signatures: [
                    .beginning(.av1, ElementaryStream.sniffAV1),
                    .beginning(.av1AnnexB, ElementaryStream.sniffAV1AnnexB),
                ]),
            elementary(.mpegVideo), elementary(.mpeg4Video), elementary(.h264), elementary(.hevc),
            MediaFormat(.mjpeg, [.whole(.mjpeg, beginningAs: .jpeg, JPEGFilm.isFilm)]),
        ] + songs

    /// What has sound alone, whose cover is its picture.
    private static let songs: [MediaFormat] = [
        MediaFormat(
            name: "m4a", types: [.m4a],
            signatures: ["M4A ", "M4B ", "M4P "].map { .brand($0, .m4a) }, readsRanges: true),
        MediaFormat(
            .mp3,
            [
                .bytes(Array("ID3".utf8), .mp3, SongSignatures.sniffID3),
                .beginning(.mp3, SongSignatures.sniffFrames),
            ]),
        MediaFormat(.aac, [.beginning(.aac, SongSignatures.sniffADTS)]),
        MediaFormat(.flac, [.text("fLaC", .flac)]),
        MediaFormat(
            .wav, [.riff("WAVE", .wav), .text("RF64", .wav), .text("BW64", .wav)],
            isCompressed: false),
        MediaFormat(
            .aiff, [.bytes(Array("FORM".utf8), .aiff, SongSignatures.sniffAIFF)],
            isCompressed: false),
        MediaFormat(.ape, [.text("MAC ", .ape)]),
        MediaFormat(.wavPack, [.text("wvpk", .wavPack)]),
        MediaFormat(.trueAudio, [.text("TTA1", .trueAudio)]),
    ]

    private static func elementary(_ type: MediaType) -> MediaFormat {
        MediaFormat(type, [.beginning(type, ElementaryStream.sniffer(of: type))])
    }

    private init(
        _ type: MediaType, _ signatures: [MediaSignature], isCompressed: Bool = true
    ) {
        self.init(
            name: type.name, types: [type], signatures: signatures, isCompressed: isCompressed)
    }

    /// Sync bytes 188 (or, in an M2TS with time stamps, 192) apart; ISO/IEC 13818-1, 2.4.3.2.
    private static let sniffTransportStream: MediaSignature.Refinement = { bytes in
        for (first, step) in [(0, 188), (4, 192)] where bytes.byte(at: first) == 0x47 {
            let needed = first + 2 * step + 1
            guard bytes.byteCount >= needed else { return .needsBytes(needed) }
            let isStream = bytes.byte(at: first + step) == 0x47
            if isStream && bytes.byte(at: first + 2 * step) == 0x47 { return .known(.mpegTS) }
        }
        return .known(.unknown)
    }
}
