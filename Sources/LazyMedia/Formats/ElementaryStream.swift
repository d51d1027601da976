/// Streams of pictures without a container, told by their units behind start codes (00 00 01).
enum ElementaryStream {
    /// A header that has not come by then is not searched for.
    private static let searched = 1 << 16
    /// More zeros before the first start code are none of a stream.
    private static let mostZeros = 16

    /// Tells whether bytes are a stream of one of the types that this knows.
    static func sniffer(of type: MediaType) -> MediaSignature.Refinement {
        { bytes in
            switch sniff(bytes) {
            case .known(let found): .known(found == type ? type : .unknown)
            case .needsBytes(let count): .needsBytes(count)
            }
        }
    }

    private static func sniff(_ bytes: RawSpan) -> MediaType.Sniffed {
        var start = 0
        while start < mostZeros, bytes.byte(at: start) == 0 { start += 1 }
        guard start >= 2, bytes.byte(at: start) == 1 else { return .known(.unknown) }
        var unit = start + 1
        guard bytes.byteCount >= unit + 8 else { return .needsBytes(unit + 8) }
        if let type = moving(bytes, at: unit) { return .known(type) }
        var (isH264, isHEVC) = (true, true)
        while isH264 || isHEVC {
            guard unit + 8 <= bytes.byteCount else { break }
            switch h264(bytes, at: unit) {
            case .parameters where isH264: return .known(.h264)
            case .none: isH264 = false
            default: break
            }
            switch hevc(bytes, at: unit) {
            case .parameters where isHEVC: return .known(.hevc)
            case .none: isHEVC = false
            default: break
            }
            guard let next = bytes.startCode(from: unit, to: searched) else { break }
            unit = next + 3
        }
        let isOpen = (isH264 || isHEVC) && bytes.byteCount < searched
        return isOpen ? .needsBytes(searched) : .known(.unknown)
    }

    /// MPEG-1, -2 and -4, whose first unit tells (ISO/IEC 13818-2, 6.2.2.1; 14496-2, 6.2.2).
    private static func moving(_ bytes: RawSpan, at unit: Int) -> MediaType? {
        switch bytes.byte(at: unit) ?? 0 {
        case 0xB3:
            guard let sides = bytes.bigEndian32(at: unit + 1), sides >> 20 > 0,
                sides >> 8 & 0xFFF > 0, sides >> 4 & 0xF > 0, sides & 0xF > 0
            else { return nil }
            return .mpegVideo
        case 0xB0:
            guard bytes.byte(at: unit + 1) != 0, bytes.isStartCode(at: unit + 2) else { return nil }
            return .mpeg4Video
        case 0xB5: return bytes.isStartCode(at: unit + 2) ? .mpeg4Video : nil
        // A video object, and the first layer of it.
        case 0x00...0x1F:
            guard bytes.isStartCode(at: unit + 1), let next = bytes.byte(at: unit + 4) else {
                return nil
            }
            return (0x20...0x2F).contains(next) ? .mpeg4Video : nil
        default: return nil
        }
    }

    /// What a unit is of its codec.
    private enum Unit {
        /// A set of parameters, which no other bytes look like.
        case parameters
        /// Another unit that may come before them.
        case other
    }

    /// A NAL unit of H.264 (7.4.1, 7.4.2.1.1).
    private static func h264(_ bytes: RawSpan, at unit: Int) -> Unit? {
        let head = bytes.byte(at: unit) ?? 0xFF
        let isReferred = head & 0x60 != 0
        switch head & 0x9F {
        case 7:
            let profile = bytes.byte(at: unit + 1) ?? 0
            let level = bytes.byte(at: unit + 3) ?? 0
            return isReferred && profiles.contains(profile) && (9...62).contains(level)
                ? .parameters : nil
        case 6, 9...12: return isReferred ? nil : .other
        case 5, 8: return isReferred ? .other : nil
        case 1: return .other
        default: return nil
        }
    }

    private static let profiles: Set<UInt8> = [
        44, 66, 77, 83, 86, 88, 100, 110, 118, 122, 128, 138, 244,
    ]

    /// A NAL unit of HEVC (7.3.1.2), of which the base layer counts.
    private static func hevc(_ bytes: RawSpan, at unit: Int) -> Unit? {
        let (head, next) = (bytes.byte(at: unit) ?? 0xFF, bytes.byte(at: unit + 1) ?? 0)
        guard head & 0x81 == 0, next & 0xF8 == 0, next & 7 > 0 else { return nil }
        switch head >> 1 {
        // `vps_reserved_0xffff_16bits`
        case 32:
            return bytes.byte(at: unit + 4) == 0xFF && bytes.byte(at: unit + 5) == 0xFF
                ? .parameters : nil
        case 0...9, 16...21, 33...39: return .other
        default: return nil
        }
    }
}

extension ElementaryStream {
    /// AV1 as temporal units of OBUs, each with its size (AV1, 5.2): a delimiter, and a sequence header.
    static let sniffAV1: MediaSignature.Refinement = { bytes in
        guard bytes.byteCount >= 4 else { return .needsBytes(4) }
        let isStream = bytes.starts(with: [0x12, 0x00, 0x0A]) && bytes.byte(at: 3) ?? 0 > 0
        return .known(isStream ? .av1 : .unknown)
    }

    /// AV1 with lengths before temporal units, frame units and OBUs (AV1, Annex B).
    static let sniffAV1AnnexB: MediaSignature.Refinement = { bytes in
        var place = 0
        func length() -> Int? {
            var value = 0
            for shift in 0..<4 {
                guard let byte = bytes.byte(at: place) else { return nil }
                place += 1
                value |= Int(byte & 0x7F) << (7 * shift)
                if byte < 0x80 { return value }
            }
            return nil
        }
        guard bytes.byteCount >= 16 else { return .needsBytes(16) }
        guard let unit = length(), case let inner = place, let frame = length(),
            place - inner + frame <= unit, let delimiter = length(), delimiter == 1,
            bytes.byte(at: place) == 0x10
        else { return .known(.unknown) }
        place += 1
        // A sequence header, without a size of its own or with one.
        guard let header = length(), (4..<frame).contains(header),
            let kind = bytes.byte(at: place)
        else { return .known(.unknown) }
        return .known(kind == 0x08 || kind == 0x0A ? .av1AnnexB : .unknown)
    }
}

extension RawSpan {
    /// Whether 00 00 01 is at an offset.
    func isStartCode(at offset: Int) -> Bool {
        byte(at: offset) == 0 && byte(at: offset + 1) == 0 && byte(at: offset + 2) == 1
    }

    /// The next 00 00 01 that begins before an end, or nil.
    func startCode(from offset: Int, to end: Int) -> Int? {
        var place = offset
        let last = Swift.min(byteCount - 3, end)
        while place <= last {
            switch byte(at: place + 2) ?? 0xFF {
            case 0: place += 1
            case 1:
                if isStartCode(at: place) { return place }
                place += 3
            default: place += 3
            }
        }
        return nil
    }
}
