/// Converts H.264 from start codes, as encoders write it, to the form of MP4 (ISO/IEC 14496-15).
enum H264Units {
    private static let information = 6
    private static let sequenceParameters = 7
    private static let pictureParameters = 8

    /// Passes each NAL unit between start codes, without trailing zeros.
    static func forEach(
        _ bytes: UnsafeBufferPointer<UInt8>, _ use: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var start: Int?
        var place = 0
        while place + 2 < bytes.count {
            if bytes[place + 2] > 1 {
                place += 3
            } else if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
                if let start { lend(bytes, start, place, use) }
                start = place + 3
                place += 3
            } else {
                place += 1
            }
        }
        if let start { lend(bytes, start, bytes.count, use) }
    }

    private static func lend(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int,
        _ use: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var end = end
        while end > start, bytes[end - 1] == 0 { end -= 1 }
        if end > start { use(UnsafeBufferPointer(rebasing: bytes[start..<end])) }
    }

    /// A picture's NAL units with their lengths before them.
    ///
    /// Parameter sets are in the header, and the encoder's information is dropped.
    static func sample(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var sample = BigEndian()
        sample.bytes.reserveCapacity(bytes.count + 16)
        forEach(bytes) { unit in
            let kind = Int(unit[0] & 31)
            guard ![information, sequenceParameters, pictureParameters].contains(kind) else {
                return
            }
            sample.put(unit.count, 4)
            sample.bytes.append(contentsOf: unit)
        }
        return sample.bytes
    }

    /// The configuration record of MP4 (`avcC`), or nil without parameter sets.
    static func header(_ bytes: [UInt8]) -> [UInt8]? {
        var (sequence, picture): ([UInt8], [UInt8]) = ([], [])
        bytes.withUnsafeBufferPointer {
            forEach($0) { unit in
                switch Int(unit[0] & 31) {
                case sequenceParameters: sequence = Array(unit)
                case pictureParameters: picture = Array(unit)
                default: break
                }
            }
        }
        guard sequence.count > 4, !picture.isEmpty else { return nil }
        var header = BigEndian(bytes: [1, sequence[1], sequence[2], sequence[3], 0xFF, 0xE1])
        header.put(sequence.count, 2)
        header.bytes += sequence
        header.put(1, 1)
        header.put(picture.count, 2)
        header.bytes += picture
        // From the High profile on: 4:2:0, eight bits, no further parameter sets.
        if ![66, 77, 88].contains(sequence[1]) { header.bytes += [0xFD, 0xF8, 0xF8, 0] }
        return header.bytes
    }
}
