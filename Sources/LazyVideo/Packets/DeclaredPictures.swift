internal import CFFmpeg
internal import LazyMedia

/// How many pictures of what size a stream of H.264 or HEVC keeps, by its sequence parameter sets.
///
/// A decoder keeps all references that were declared, up to 16, once pictures of a few bytes each have filled them: a
/// file of 200 KB could take gigabytes before the last picture is refused.
struct DeclaredPictures: Equatable {
    /// Pixels of a picture, in whole blocks as FFmpeg allocates them.
    let pixels: Int
    /// Bytes of a pixel in all planes, in halves.
    let halfBytes: Int
    /// The references, without the picture that is being decoded.
    let references: Int

    /// The bytes of a picture, with what decoders keep beside it (`picture_bytes` in `Memory.c`).
    private var pictureBytes: Int { pixels * halfBytes / 2 + pixels / 2 }

    /// The bytes that a decoder of so many threads needs: each has a picture and tables of its own.
    func bytes(threads: Int) -> Int {
        let (bytes, isTooMany) = pictureBytes.multipliedReportingOverflow(
            by: references + max(1, threads))
        return isTooMany ? .max : bytes.addingReportingOverflow(pixels * 5 / 4 * max(1, threads)).0
    }

    /// The threads that fit into a memory, at least one.
    func threads(_ wanted: Int, within memory: Int) -> Int {
        var threads = max(1, wanted)
        while threads > 1, bytes(threads: threads) > memory { threads -= 1 }
        return threads
    }

    // MARK: - Reading

    /// The largest of a codec's header; nil for other codecs, and where nothing is declared.
    init?(header: UnsafeBufferPointer<UInt8>, _ id: AVCodecID) {
        switch id {
        case AV_CODEC_ID_H264 where header.count > 6 && header[0] == 1:
            // The sets of the configuration record (ISO 14496-15, 5.3.3.1).
            var place = 6
            self.init(Self.sets(header, at: &place, count: Int(header[5] & 31)), id)
        case AV_CODEC_ID_HEVC where header.count > 22 && header[0] == 1:
            var (place, sets): (Int, [UnsafeBufferPointer<UInt8>]) = (23, [])
            for _ in 0..<header[22] where place + 3 <= header.count {
                let count = Int(header[place + 1]) << 8 | Int(header[place + 2])
                place += 3
                sets += Self.sets(header, at: &place, count: count)
            }
            self.init(sets, id)
        default: self.init(packet: header, .startCodes, id)
        }
    }

    /// The largest of the sets before the first slice of a packet.
    init?(packet: UnsafeBufferPointer<UInt8>, _ layout: NALLayout, _ id: AVCodecID) {
        guard id == AV_CODEC_ID_H264 || id == AV_CODEC_ID_HEVC else { return nil }
        var (position, sets): (Int, [UnsafeBufferPointer<UInt8>]) = (0, [])
        while let start = layout.next(packet, from: &position) {
            let isSlice =
                id == AV_CODEC_ID_H264
                ? (1...5).contains(packet[start] & 31) : packet[start] >> 1 & 63 < 32
            if isSlice { break }
            sets.append(.init(rebasing: packet[start...].prefix(Self.maxSetBytes)))
        }
        self.init(sets, id)
    }

    /// What is looked at is at the beginning of a set.
    private static let maxSetBytes = 1024

    private static func sets(
        _ header: UnsafeBufferPointer<UInt8>, at place: inout Int, count: Int
    ) -> [UnsafeBufferPointer<UInt8>] {
        var sets: [UnsafeBufferPointer<UInt8>] = []
        for _ in 0..<count {
            guard place + 2 <= header.count else { break }
            let size = Int(header[place]) << 8 | Int(header[place + 1])
            guard size > 0, place + 2 + size <= header.count else { break }
            sets.append(.init(rebasing: header[place + 2..<place + 2 + size]))
            place += 2 + size
        }
        return sets
    }

    private init?(_ sets: [UnsafeBufferPointer<UInt8>], _ id: AVCodecID) {
        let found = sets.compactMap { unit -> Self? in
            guard let first = unit.first else { return nil }
            if id == AV_CODEC_ID_H264 {
                return first & 31 == 7 ? Self(h264: Self.payload(unit, from: 1)) : nil
            }
            return first >> 1 & 63 == 33 ? Self(hevc: Self.payload(unit, from: 2)) : nil
        }
        guard let most = found.max(by: { $0.bytes(threads: 1) < $1.bytes(threads: 1) }) else {
            return nil
        }
        self = most
    }

    /// The bytes of a unit without those that prevent start codes (H.264, 7.4.1.1).
    private static func payload(_ unit: UnsafeBufferPointer<UInt8>, from start: Int) -> [UInt8] {
        var (bytes, zeros): ([UInt8], Int) = ([], 0)
        for byte in unit.dropFirst(start).prefix(maxSetBytes) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            bytes.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return bytes
    }

    private init?(width: Int, height: Int, chroma: Int, depth: Int, references: Int) {
        guard PixelSize(checking: width, height) != nil, chroma < 4, depth <= 16 else {
            return nil
        }
        pixels = (width + 63) / 64 * 64 * ((height + 63) / 64 * 64)
        halfBytes = [2, 3, 4, 6][chroma] * (depth > 8 ? 2 : 1)
        self.references = min(references, 16)
    }

    /// H.264, 7.3.2.1.1.
    private init?(h264 bytes: [UInt8]) {
        let read = bytes.withUnsafeBufferPointer { bytes -> Self? in
            var bits = HeaderBits(bytes)
            let profile = bits.read(8)
            bits.skip(16)
            _ = bits.exponential()
            var (chroma, depth) = (1, 8)
            if Self.highProfiles.contains(profile) {
                chroma = bits.exponential()
                if chroma == 3 { bits.skip(1) }
                depth = 8 + max(bits.exponential(), bits.exponential())
                bits.skip(1)
                if bits.flag() { Self.skipScaling(&bits, count: chroma == 3 ? 12 : 8) }
            }
            _ = bits.exponential()
            Self.skipOrder(&bits)
            let references = bits.exponential()
            bits.skip(1)
            let (width, height) = (bits.exponential() + 1, bits.exponential() + 1)
            let fields = bits.flag() ? 1 : 2
            guard !bits.isBeyondEnd else { return nil }
            return Self(
                width: width &* 16, height: height &* 16 &* fields, chroma: chroma, depth: depth,
                references: references)
        }
        guard let read else { return nil }
        self = read
    }

    private static let highProfiles = [
        100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
    ]

    /// H.264, 7.3.2.1.1.1.
    private static func skipScaling(_ bits: inout HeaderBits, count: Int) {
        for list in 0..<count where bits.flag() {
            var (last, next) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) where !bits.isBeyondEnd {
                if next != 0 { next = (last + bits.signedExponential() + 256) & 255 }
                if next != 0 { last = next }
            }
        }
    }

    /// The order of pictures.
    private static func skipOrder(_ bits: inout HeaderBits) {
        switch bits.exponential() {
        case 0: _ = bits.exponential()
        case 1:
            bits.skip(1)
            (_, _) = (bits.exponential(), bits.exponential())
            for _ in 0..<min(255, bits.exponential()) { _ = bits.exponential() }
        default: break
        }
    }

    /// H.265, 7.3.2.2.1.
    private init?(hevc bytes: [UInt8]) {
        let read = bytes.withUnsafeBufferPointer { bytes -> Self? in
            var bits = HeaderBits(bytes)
            bits.skip(4)
            let layers = bits.read(3)
            bits.skip(1)
            Self.skipTier(&bits, layers: layers)
            _ = bits.exponential()
            let chroma = bits.exponential()
            if chroma == 3 { bits.skip(1) }
            let (width, height) = (bits.exponential(), bits.exponential())
            if bits.flag() { for _ in 0..<4 { _ = bits.exponential() } }
            let depth = 8 + max(bits.exponential(), bits.exponential())
            _ = bits.exponential()
            let isEach = bits.flag()
            var references = 0
            for _ in 0...(isEach ? layers : 0) {
                references = max(references, bits.exponential())
                (_, _) = (bits.exponential(), bits.exponential())
            }
            guard !bits.isBeyondEnd else { return nil }
            return Self(
                width: width, height: height, chroma: chroma, depth: depth, references: references)
        }
        guard let read else { return nil }
        self = read
    }

    /// Profile, tier and level (H.265, 7.3.3).
    private static func skipTier(_ bits: inout HeaderBits, layers: Int) {
        bits.skip(88 + 8)
        let flags = (0..<layers).map { _ in (bits.flag(), bits.flag()) }
        if layers > 0 { bits.skip(2 * (8 - layers)) }
        for (hasProfile, hasLevel) in flags {
            if hasProfile { bits.skip(88) }
            if hasLevel { bits.skip(8) }
        }
    }
}
