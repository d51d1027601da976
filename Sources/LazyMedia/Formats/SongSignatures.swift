/// How songs are told whose first bytes do not suffice.
enum SongSignatures {
    /// What follows a tag (ID3v2.4, 3.1 and 3.4): most often MPEG audio, and where that cannot be seen, too.
    static let sniffID3: MediaSignature.Refinement = { bytes in
        let size = (6...9).compactMap { bytes.byte(at: $0) }
        guard size.count == 4 else { return .needsBytes(10) }
        let footer = (bytes.byte(at: 5) ?? 0) & 0x10 != 0 ? 10 : 0
        let end = size.reduce(0) { $0 << 7 | Int($1 & 0x7F) } + 10 + footer
        guard end <= farthest else { return .known(.mp3) }
        guard bytes.byteCount >= end + 4 else { return .needsBytes(end + 4) }
        for (word, type) in [
            ("fLaC", MediaType.flac), ("MAC ", .ape), ("wvpk", .wavPack), ("TTA1", .trueAudio),
        ] where bytes.hasWord(word, at: end) { return .known(type) }
        return .known(ADTSFrame(bytes, at: end) == nil ? .mp3 : .aac)
    }

    /// A tag is not looked through farther than this.
    private static let farthest = 1 << 22

    /// Frames of MPEG audio without a tag, one after the other.
    static let sniffFrames: MediaSignature.Refinement = { bytes in
        var place = 0
        while place < mostZeros, bytes.byte(at: place) == 0 { place += 1 }
        return sniff(bytes, from: place, .mp3) { MPEGAudioFrame(bytes, at: $0)?.form }
    }

    /// Frames of ADTS without a tag.
    static let sniffADTS: MediaSignature.Refinement = { bytes in
        sniff(bytes, from: 0, .aac) { ADTSFrame(bytes, at: $0)?.form }
    }

    /// Encoders begin with some; more are no song.
    private static let mostZeros = 1 << 12

    /// Whether three frames of one form follow each other.
    private static func sniff(
        _ bytes: RawSpan, from start: Int, _ type: MediaType, _ frame: (Int) -> FrameForm?
    ) -> MediaType.Sniffed {
        guard bytes.byteCount >= start + 8 else { return .needsBytes(start + 8) }
        var place = start
        var first: FrameForm?
        for _ in 0..<3 {
            guard bytes.byteCount >= place + 8 else { return .needsBytes(place + 8) }
            guard let form = frame(place), first?.kind ?? form.kind == form.kind else {
                return .known(.unknown)
            }
            first = first ?? form
            place += form.length
        }
        return .known(type)
    }

    /// The codecs of Ogg's streams, by the pages that they all begin with (RFC 3533, 4).
    static let sniffOgg: MediaSignature.Refinement = { bytes in
        var place = 0
        var isSong = false
        while place < 1 << 14 {
            guard bytes.byteCount >= place + 27 else { return .needsBytes(place + 27) }
            guard bytes.hasWord("OggS", at: place), (bytes.byte(at: place + 5) ?? 0) & 2 != 0 else {
                break
            }
            let count = Int(bytes.byte(at: place + 26) ?? 0)
            let content = place + 27 + count
            guard bytes.byteCount >= content + 8 else { return .needsBytes(content + 8) }
            let sizes = (0..<count).reduce(0) { $0 + Int(bytes.byte(at: place + 27 + $1) ?? 0) }
            if songs.contains(where: { bytes.hasWord($0, at: content) }) {
                isSong = true
            } else if !bytes.hasWord("fishead", at: content) {
                return .known(.ogg)
            }
            place = content + sizes
        }
        return .known(isSong ? .oggAudio : .ogg)
    }

    private static let songs = ["\u{1}vorbis", "OpusHead", "\u{7F}FLAC", "Speex   "]

    /// Whether ASF has a stream of pictures, by the objects of its header (ASF, 3.1 to 3.3).
    static let sniffASF: MediaSignature.Refinement = { bytes in
        guard let size = bytes.littleEndian(8, at: 16) else { return .needsBytes(30) }
        let end = min(size, farthest)
        var place = 30
        var isSong = false
        while place + 24 <= end {
            guard bytes.byteCount >= place + 40 else { return .needsBytes(place + 40) }
            guard let length = bytes.littleEndian(8, at: place + 16), length >= 24 else { break }
            if bytes.has(streamProperties, at: place) {
                guard bytes.has(sound, at: place + 24) else { return .known(.asf) }
                isSong = true
            }
            place += min(length, farthest)
        }
        return .known(isSong ? .wma : .asf)
    }

    private static let streamProperties: [UInt8] = [
        0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11,
        0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ]
    private static let sound: [UInt8] = [
        0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11,
        0xA8, 0xFD, 0x00, 0x80, 0x5F, 0x5C, 0x44, 0x2B,
    ]

    /// AIFF among the forms of IFF.
    static let sniffAIFF: MediaSignature.Refinement = { bytes in
        .known(["AIFF", "AIFC"].contains { bytes.hasWord($0, at: 8) } ? .aiff : .unknown)
    }
}

/// What frames of one stream have in common, and the length of one.
private struct FrameForm {
    let kind: UInt32
    let length: Int
}

/// The header of a frame of MPEG audio (ISO/IEC 11172-3, 2.4.2.3).
private struct MPEGAudioFrame {
    let form: FrameForm

    init?(_ bytes: RawSpan, at place: Int) {
        guard let head = bytes.bigEndian32(at: place), head >> 21 == 0x7FF else { return nil }
        let (version, layer) = (head >> 19 & 3, head >> 17 & 3)
        let (rate, sampling) = (Int(head >> 12 & 15), Int(head >> 10 & 3))
        guard version != 1, layer == 1 || layer == 2, (1...14).contains(rate), sampling < 3 else {
            return nil
        }
        let isFirst = version == 3
        let rates = isFirst ? (layer == 2 ? Self.layer2 : Self.layer3) : Self.low
        let samplesPerSecond =
            [44_100, 48_000, 32_000][sampling] >> [2: 1, 0: 2][version, default: 0]
        let slots = layer == 1 && !isFirst ? 72_000 : 144_000
        form = FrameForm(
            kind: head & 0xFFFE_0C00,
            length: slots * rates[rate - 1] / samplesPerSecond + Int(head >> 9 & 1))
    }

    private static let layer2 = [
        32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
    ]
    private static let layer3 = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ]
    private static let low = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}

/// The header of a frame of ADTS (ISO/IEC 13818-7, 6.2.1).
private struct ADTSFrame {
    let form: FrameForm

    init?(_ bytes: RawSpan, at place: Int) {
        guard let head = bytes.bigEndian32(at: place), head >> 20 == 0xFFF, head >> 17 & 3 == 0,
            head >> 10 & 15 < 13
        else { return nil }
        let low = bytes.bigEndian32(at: place + 4) ?? 0xFFFF_FFFF
        let length = Int(head & 3) << 11 | Int(low >> 21)
        guard length > 7 else { return nil }
        form = FrameForm(kind: head & 0xFFFE_FC00, length: length)
    }
}

extension RawSpan {
    /// The little-endian number of some bytes at an offset; nil where it is incomplete, negative or too large.
    fileprivate func littleEndian(_ count: Int, at offset: Int) -> Int? {
        var value: UInt64 = 0
        for place in (0..<count).reversed() {
            guard let byte = byte(at: offset + place) else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return Int(exactly: value)
    }

    /// Whether bytes are at an offset.
    fileprivate func has(_ bytes: [UInt8], at offset: Int) -> Bool {
        bytes.indices.allSatisfy { byte(at: offset + $0) == bytes[$0] }
    }
}
