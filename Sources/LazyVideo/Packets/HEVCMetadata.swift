internal import LazyMedia

/// Reads the HDR metadata of HEVC's supplemental messages (H.265, annex D).
enum HEVCMetadata {
    /// What the codec's header and the first packet say.
    static func read(
        _ packet: UnsafeBufferPointer<UInt8>, extradata: UnsafeBufferPointer<UInt8>
    ) -> HDRMetadata {
        var metadata = HDRMetadata()
        let units =
            switch NALLayout(hevc: extradata) {
            case .lengths(let size): unitsOfHeader(extradata) + unitsAfterLengths(packet, size)
            case .startCodes: unitsAfterStartCodes(extradata) + unitsAfterStartCodes(packet)
            }
        for unit in units { read(unit, into: &metadata) }
        return metadata
    }

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    // MARK: - Units

    /// The units of the decoder configuration record (ISO 14496-15, 8.3.2.1).
    private static func unitsOfHeader(_ bytes: Bytes) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var place = 23
        for _ in 0..<Int(bytes[22]) {
            guard place + 3 <= bytes.count else { break }
            let count = number(bytes, place + 1, 2)
            place += 3
            for _ in 0..<count {
                guard place + 2 <= bytes.count else { return units }
                let length = number(bytes, place, 2)
                place += 2
                guard length <= bytes.count - place else { return units }
                append(bytes, place, length, to: &units)
                place += length
            }
        }
        return units
    }

    private static func unitsAfterLengths(_ bytes: Bytes, _ size: Int) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var place = 0
        while place + size < bytes.count {
            let length = number(bytes, place, size)
            place += size
            guard length <= bytes.count - place else { break }
            guard append(bytes, place, length, to: &units) else { break }
            place += length
        }
        return units
    }

    private static func unitsAfterStartCodes(_ bytes: Bytes) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var start: Int?
        var place = 0
        while place + 3 <= bytes.count {
            guard bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 else {
                place += 1
                continue
            }
            if let start { append(bytes, start, place - start, to: &units) }
            place += 3
            start = place
            // Nothing is sought behind the first slice.
            if place < bytes.count, bytes[place] >> 1 & 63 < 32 { return units }
        }
        if let start { append(bytes, start, bytes.count - start, to: &units) }
        return units
    }

    /// Keeps a unit of messages, without the bytes that prevent start codes; false at a slice.
    @discardableResult private static func append(
        _ bytes: Bytes, _ start: Int, _ length: Int, to units: inout [[UInt8]]
    ) -> Bool {
        guard length > 2 else { return true }
        let type = bytes[start] >> 1 & 63
        guard type == 39 else { return type >= 32 }
        var unit: [UInt8] = []
        for byte in bytes[start + 2..<start + length].prefix(4096) {
            if byte == 3, unit.suffix(2) == [0, 0] { continue }
            unit.append(byte)
        }
        units.append(unit)
        return true
    }

    // MARK: - Messages

    private static func read(_ unit: [UInt8], into metadata: inout HDRMetadata) {
        var rest = unit[...]
        while rest.count > 2 {
            guard let type = length(&rest), let size = length(&rest), size <= rest.count else {
                return
            }
            let message = Array(rest.prefix(size))
            if type == 137, size >= 24 { metadata.masteringDisplay = display(message) }
            if type == 144, size >= 4 { metadata.contentLight = light(message) }
            if type == 4, HDRMetadata.isHDR10Plus(message) { metadata.isHDR10Plus = true }
            rest = rest.dropFirst(size)
        }
    }

    private static func length(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        var sum = 0
        while let byte = bytes.popFirst() {
            sum += Int(byte)
            if byte < 255 { return sum }
        }
        return nil
    }

    /// Green, blue, red, white, and two luminances (H.265, D.2.28).
    private static func display(_ bytes: [UInt8]) -> MasteringDisplay? {
        bytes.withUnsafeBufferPointer { bytes in
            func point(_ number: Int) -> SIMD2<Double> {
                SIMD2(
                    Double(self.number(bytes, number * 4, 2)) / 50_000,
                    Double(self.number(bytes, number * 4 + 2, 2)) / 50_000)
            }
            let most = number(bytes, 16, 4)
            guard most > 0 else { return nil }
            return MasteringDisplay(
                chromaticities: Chromaticities(
                    red: point(2), green: point(0), blue: point(1), white: point(3)),
                maximumLuminance: Double(most) / 10_000,
                minimumLuminance: Double(number(bytes, 20, 4)) / 10_000)
        }
    }

    private static func light(_ bytes: [UInt8]) -> ContentLight? {
        let (most, average) = (
            Int(bytes[0]) << 8 | Int(bytes[1]), Int(bytes[2]) << 8 | Int(bytes[3])
        )
        return most > 0 || average > 0
            ? ContentLight(maximum: most, maximumAverage: average) : nil
    }

    private static func number(_ bytes: Bytes, _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
