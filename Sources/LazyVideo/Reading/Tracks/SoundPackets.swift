internal import LazyMedia

extension SoundFormat {
    /// The number of samples of a packet, or nil where only its duration tells.
    func length(of packet: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        switch codec {
        case .mp3: sampleRate >= 32_000 ? 1152 : 576
        case .ac3: 1536
        case .opus: OpusPacket.length(packet)
        // AAC may have twice the samples (SBR), and 960 of them.
        case .aac, .alac, .flac, .vorbis: nil
        }
    }
}

/// The packets of Opus (RFC 6716, section 3.1).
enum OpusPacket {
    /// The samples at 48 kHz, or nil for damaged packets.
    static func length(_ bytes: some Collection<UInt8>) -> Int64? {
        guard let first = bytes.first else { return nil }
        let configuration = Int(first >> 3)
        let frame: Int64 =
            switch configuration {
            case 0..<12: [480, 960, 1920, 2880][configuration % 4]
            case 12..<16: configuration % 2 == 0 ? 480 : 960
            default: [120, 240, 480, 960][configuration % 4]
            }
        switch first & 3 {
        case 0: return frame
        case 1, 2: return 2 * frame
        default:
            guard let second = bytes.dropFirst().first, second & 63 > 0 else { return nil }
            return frame * Int64(second & 63)
        }
    }
}

/// The header of a packet of AAC in a transport stream (ISO/IEC 14496-3, 1.A.2.2).
struct ADTSHeader {
    /// The bytes of the header.
    let length: Int
    /// The configuration for containers: `AudioSpecificConfig`.
    let configuration: [UInt8]
    let sampleRate: Int
    let channels: Int

    /// Reads the header, or returns nil where there is none.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        let rate = Int(bytes[2] >> 2 & 15)
        let layout = Int(bytes[2] & 1) << 2 | Int(bytes[3] >> 6)
        let size = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
        length = bytes[1] & 1 == 1 ? 7 : 9
        // Layout 0 means that the packet itself tells.
        guard rate < Self.rates.count, (1...7).contains(layout), size == bytes.count,
            bytes.count > length
        else { return nil }
        sampleRate = Self.rates[rate]
        channels = layout == 7 ? 8 : layout
        let object = Int(bytes[2] >> 6) + 1
        let code = object << 11 | rate << 7 | layout << 3
        configuration = [UInt8(code >> 8), UInt8(code & 0xFF)]
    }

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8000, 7350,
    ]
}
