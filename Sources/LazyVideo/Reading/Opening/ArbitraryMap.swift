internal import LazyMedia

/// Portable maps of binary samples (netpbm, `pgm(5)`, `ppm(5)`, `pam(5)`), not all of which FFmpeg scales.
enum ArbitraryMap {
    /// A longer header is not looked at.
    private static let maxHeaderBytes = 1 << 12

    /// The same map with samples of 0 to 255 or 65,535, or nil where they are so.
    ///
    /// FFmpeg leaves colors beside alpha as they are, and of PGM and PPM makes 254 of 254 and 65,534 of 65,534 black.
    static func scaled(
        _ bytes: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) -> MemoryBytes? {
        let head = try bytes.bytes(min(bytes.count, maxHeaderBytes), at: 0)
        guard let header = Header(head), header.isScaled, (1..<65535).contains(header.most),
            header.most != 255
        else { return nil }
        // The file and its copy.
        try limits.check(memory: bytes.count * 2)
        var map = try bytes.bytes(bytes.count, at: 0)
        if header.most > 255 {
            // Two bytes, the high one first.
            for place in stride(from: header.end, to: map.count - 1, by: 2) {
                let sample = Int(map[place]) << 8 | Int(map[place + 1])
                let value = min(65535, (sample * 65535 + header.most / 2) / header.most)
                (map[place], map[place + 1]) = (UInt8(value >> 8), UInt8(value & 255))
            }
            map.replaceSubrange(header.digits, with: "65535".utf8)
            return try MemoryBytes(map)
        }
        let scaled = (0..<256).map { (sample: Int) in
            UInt8(min(255, (sample * 255 + header.most / 2) / header.most))
        }
        for place in header.end..<max(header.end, map.count) {
            map[place] = scaled[Int(map[place])]
        }
        map.replaceSubrange(header.digits, with: "255".utf8)
        return try MemoryBytes(map)
    }

    /// Where the samples of a binary map end, which it may have fewer of; nil where its header does not tell.
    static func end(of bytes: UnsafeRawBufferPointer) -> Int? {
        Header(Array(bytes.prefix(maxHeaderBytes))).flatMap { header in
            let (samples, isTooWide) = header.width.multipliedReportingOverflow(by: header.depth)
            let (bits, isTooDeep) = samples.multipliedReportingOverflow(by: header.bits)
            guard !isTooWide, !isTooDeep, bits > 0, bits < .max - 7, header.height > 0 else {
                return nil
            }
            let size = ((bits + 7) / 8).multipliedReportingOverflow(by: header.height)
            let end = size.partialValue.addingReportingOverflow(header.end)
            return size.overflow || end.overflow ? nil : end.partialValue
        }
    }

    /// The words before the samples.
    private struct Header {
        private(set) var (width, height, depth) = (0, 0, 1)
        /// The bits of a sample.
        private(set) var bits = 8
        /// Whether samples are numbers up to `most`.
        private(set) var isScaled = true
        /// The largest sample, and its digits.
        private(set) var most = 0
        private(set) var digits = 0..<0
        /// The offset of the samples.
        let end: Int

        init?(_ bytes: [UInt8]) {
            guard bytes.count > 2, bytes[0] == UInt8(ascii: "P") else { return nil }
            switch bytes[1] {
            case UInt8(ascii: "4"): self.init(plain: bytes, words: 2)
            case UInt8(ascii: "5"), UInt8(ascii: "6"), UInt8(ascii: "f"), UInt8(ascii: "F"):
                self.init(plain: bytes, words: 3)
            case UInt8(ascii: "7"): self.init(arbitrary: bytes)
            default: return nil
            }
        }

        /// Two or three numbers, between which may be comments, and one blank.
        private init?(plain bytes: [UInt8], words: Int) {
            var place = 2
            var numbers: [Int] = []
            for _ in 0..<words {
                while place < bytes.count, bytes[place] <= 32 || bytes[place] == UInt8(ascii: "#") {
                    if bytes[place] > 32 {
                        place = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                    } else {
                        place += 1
                    }
                }
                let end = bytes[place...].firstIndex { $0 <= 32 } ?? bytes.count
                digits = place..<end
                numbers.append(Int(String(decoding: bytes[digits], as: UTF8.self)) ?? 0)
                place = end
            }
            guard place < bytes.count else { return nil }
            (width, height, end) = (numbers[0], numbers[1], place + 1)
            switch bytes[1] {
            case UInt8(ascii: "4"): (bits, isScaled) = (1, false)
            // The third word of floating-point numbers is their scale.
            case UInt8(ascii: "f"), UInt8(ascii: "F"): (bits, isScaled) = (32, false)
            default:
                most = numbers[2]
                bits = most > 255 ? 16 : 8
            }
            if bytes[1] == UInt8(ascii: "6") || bytes[1] == UInt8(ascii: "F") { depth = 3 }
        }

        /// The lines from `P7` to `ENDHDR`.
        private init?(arbitrary bytes: [UInt8]) {
            var start = 0
            while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let words = bytes[start..<end].split(whereSeparator: { $0 <= UInt8(ascii: " ") })
                if words.first?.elementsEqual("ENDHDR".utf8) == true {
                    self.end = end + 1
                    return
                }
                if words.count > 1 {
                    let number = Int(String(decoding: words[1], as: UTF8.self)) ?? 0
                    switch String(decoding: words[0], as: UTF8.self) {
                    case "WIDTH": width = number
                    case "HEIGHT": height = number
                    case "DEPTH": depth = number
                    case "MAXVAL":
                        (most, bits, digits) = (number, number > 255 ? 16 : 8, words[1].indices)
                    default: break
                    }
                }
                start = end + 1
            }
            return nil
        }
    }
}
