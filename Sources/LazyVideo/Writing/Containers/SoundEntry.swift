internal import LazyMedia

/// How MP4 and WebM name a codec of sound.
extension SoundFormat {
    /// Throws `.notWritable` where MP4 does not take this sound.
    func checkMovie() throws(MediaError) {
        if try movieBoxes([]) != nil { return }
        throw MediaError(
            .notWritable,
            "MP4 does not take the sound, which is \(codec.rawValue)\(codec == .vorbis ? "; WebM does" : "")."
        )
    }

    /// Throws `.notWritable` where WebM does not take this sound.
    func checkWebM() throws(MediaError) {
        if [.opus, .vorbis].contains(codec), !header.isEmpty { return }
        throw MediaError(
            .notWritable,
            "WebM takes the sound opus and vorbis, and this is \(codec.rawValue); MP4 takes it.")
    }

    /// The sample entry (ISO/IEC 14496-12, 12.2.3); `first` is the first packet.
    func sampleEntry(_ first: [UInt8]) throws(MediaError) -> [UInt8] {
        guard let (name, boxes) = try movieBoxes(first) else {
            throw MediaError(.notWritable, "The sound has no packets that MP4 takes.")
        }
        var body = BigEndian()
        body.put(0, 6)
        body.put(1, 2)
        body.put(0, 8)
        body.put(min(channels, 0xFFFF), 2)
        body.put(16, 2)
        body.put(0, 4)
        // Rates that do not fit are in the codec's own header.
        body.put(sampleRate < 1 << 16 ? sampleRate << 16 : 0, 4)
        return ISOBox.make(name, body.bytes + boxes)
    }

    /// The name of the sample entry and the boxes in it; nil where MP4 has none for the codec.
    ///
    /// Without a packet only what the header tells is checked.
    private func movieBoxes(
        _ first: [UInt8]
    ) throws(MediaError) -> (name: StaticString, boxes: [UInt8])? {
        switch codec {
        case .aac: return header.isEmpty ? nil : ("mp4a", elementaryStream(0x40, header))
        case .mp3: return ("mp4a", elementaryStream(sampleRate >= 32_000 ? 0x6B : 0x69, []))
        case .ac3:
            guard !first.isEmpty else { return ("ac-3", []) }
            guard let body = Self.dolbyHeader(first) else { return nil }
            return ("ac-3", ISOBox.make("dac3", body))
        case .alac:
            // FFmpeg keeps the whole box.
            return header.count == 36 ? ("alac", header) : nil
        case .flac:
            guard header.count == 34 else { return nil }
            return ("fLaC", ISOBox.makeFull("dfLa", version: 0, [0x80, 0, 0, 34] + header))
        case .opus:
            guard let body = opusHeader else { return nil }
            return ("Opus", ISOBox.make("dOps", body))
        case .vorbis: return nil
        }
    }

    /// An `esds` box (ISO/IEC 14496-1, 7.2.6.5).
    private func elementaryStream(_ kind: UInt8, _ configuration: [UInt8]) -> [UInt8] {
        func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
            let size = body.count
            return [
                tag, UInt8(0x80 | size >> 21 & 0x7F), UInt8(0x80 | size >> 14 & 0x7F),
                UInt8(0x80 | size >> 7 & 0x7F), UInt8(size & 0x7F),
            ] + body
        }
        // Audio stream; buffer and rates are not told.
        let decoder =
            [kind, 0x15] + [UInt8](repeating: 0, count: 11)
            + (configuration.isEmpty ? [] : descriptor(5, configuration))
        let stream = [0, 2, 0] + descriptor(4, decoder) + descriptor(6, [2])
        return ISOBox.makeFull("esds", version: 0, descriptor(3, stream))
    }

    /// The content of `dOps` from that of `OpusHead` (RFC 7845), whose numbers are little-endian.
    private var opusHeader: [UInt8]? {
        guard header.count >= 19, header.starts(with: Array("OpusHead".utf8)) else { return nil }
        let family = header[18]
        guard family == 0 || header.count >= 21 + Int(header[9]) else { return nil }
        let table = family == 0 ? [] : Array(header[19..<(21 + Int(header[9]))])
        return [0, header[9], header[11], header[10]] + header[12..<16].reversed()
            + [header[17], header[16], family] + table
    }

    /// The samples that a decoder of Opus drops at the beginning.
    var preskip: Int {
        guard codec == .opus, header.count >= 19 else { return 0 }
        return Int(header[10]) | Int(header[11]) << 8
    }

    /// The content of `dac3` from the head of a packet (ETSI TS 102 366, F.4).
    private static func dolbyHeader(_ packet: [UInt8]) -> [UInt8]? {
        guard packet.count > 7, packet[0] == 0x0B, packet[1] == 0x77 else { return nil }
        let (rate, size) = (Int(packet[4] >> 6), Int(packet[4] & 63))
        let (version, mode) = (Int(packet[5] >> 3), Int(packet[5] & 7))
        let layout = Int(packet[6] >> 5)
        guard version <= 10, rate < 3 else { return nil }
        var skipped = 3
        if layout & 1 == 1, layout != 1 { skipped += 2 }
        if layout & 4 != 0 { skipped += 2 }
        if layout == 2 { skipped += 2 }
        let word = Int(packet[6]) << 8 | Int(packet[7])
        let hasLow = word >> (15 - skipped) & 1
        let bits =
            rate << 22 | version << 17 | mode << 14 | layout << 11 | hasLow << 10
            | (size >> 1) << 5
        return [UInt8(bits >> 16), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
    }
}
