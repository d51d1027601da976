internal import LazyMedia

/// Portable arbitrary maps (netpbm, `pam(5)`), of which FFmpeg scales not all samples.
enum ArbitraryMap {
    /// A longer header is not looked at.
    private static let mostHeaderBytes = 1 << 12

    /// The same map with samples of 0 to 255, or nil where they are so, or have 16 bits.
    ///
    /// FFmpeg leaves colors beside alpha as they are, whatever the header's `MAXVAL`.
    static func scaled(
        _ bytes: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) -> MemoryBytes? {
        let head = try bytes.bytes(min(bytes.count, mostHeaderBytes), at: 0)
        guard let header = Header(head), (1..<255).contains(header.most) else { return nil }
        // The file and its copy.
        try limits.check(memory: bytes.count * 2)
        var map = try bytes.bytes(bytes.count, at: 0)
        let scaled = (0..<256).map { (sample: Int) in
            UInt8(min(255, (sample * 255 + header.most / 2) / header.most))
        }
        for place in header.end..<max(header.end, map.count) {
            map[place] = scaled[Int(map[place])]
        }
        map.replaceSubrange(header.digits, with: "255".utf8)
        return try MemoryBytes(map)
    }

    /// The lines from `P7` to `ENDHDR`.
    private struct Header {
        /// The largest sample, and its digits.
        private(set) var most = 0
        private(set) var digits = 0..<0
        /// The offset of the samples.
        let end: Int

        init?(_ bytes: [UInt8]) {
            guard bytes.starts(with: Array("P7".utf8)) else { return nil }
            var start = 0
            while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let words = bytes[start..<end].split(whereSeparator: { $0 <= UInt8(ascii: " ") })
                if words.first?.elementsEqual("ENDHDR".utf8) == true {
                    self.end = end + 1
                    return
                }
                if words.count > 1, words[0].elementsEqual("MAXVAL".utf8) {
                    most = Int(String(decoding: words[1], as: UTF8.self)) ?? 0
                    digits = words[1].indices
                }
                start = end + 1
            }
            return nil
        }
    }
}
