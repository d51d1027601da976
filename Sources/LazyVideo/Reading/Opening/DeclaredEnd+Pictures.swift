internal import LazyMedia

/// Streams whose pictures follow each other, each with a size that it states or that all of them have.
extension DeclaredEnd {
    // MARK: - Y4M

    /// Before each picture is a line (`yuv4mpeg(5)`); the pictures are of one size.
    func endsWithinRawPicture() throws(MediaError) -> Bool {
        let start = try bytes.bytes(256, at: 0)
        guard let end = start.firstIndex(of: UInt8(ascii: "\n")),
            let size = Y4MHeader.pictureBytes(start[..<end])
        else { return false }
        var place = end + 1
        // As a rule the lines have no parameters.
        if (bytes.count - place).isMultiple(of: 6 + size) { return false }
        var window = HeaderWindow(bytes)
        while place < bytes.count {
            try opening.check()
            let line = try window.read(at: place, count: 80)
            let name = line.prefix(5)
            guard name.elementsEqual("FRAME".utf8.prefix(name.count)) else { return false }
            guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else { return line.count < 80 }
            place += end - line.startIndex + 1
            if isBehindEnd(place, UInt64(size)) { return true }
            place += size
        }
        return false
    }

    // MARK: - IVF

    /// Each frame has a head of twelve bytes with its size.
    func endsWithinIVFFrame() throws(MediaError) -> Bool {
        let start = try bytes.bytes(8, at: 0)
        var place = Int(start.littleEndian(at: 6, count: 2))
        guard place >= 32 else { return false }
        var window = HeaderWindow(bytes)
        while place < bytes.count {
            try opening.check()
            let head = Array(try window.read(at: place, count: 12))
            guard head.count == 12 else { return true }
            let size = head.littleEndian(at: 0, count: 4)
            if isBehindEnd(place + 12, size) { return true }
            place += 12 + Int(size)
        }
        return false
    }

    // MARK: - DV

    /// Frames have 120,000 bytes for 525 lines and 144,000 for 625 (IEC 61834-2), or a multiple of that (SMPTE 314M).
    func endsWithinDVFrame() throws(MediaError) -> Bool {
        let head = try bytes.bytes(4, at: 0)
        guard head.count == 4 else { return false }
        return !bytes.count.isMultiple(of: head[3] & 0x80 == 0 ? 120_000 : 144_000)
    }

    // MARK: - AV1

    /// Units have a type and, as a rule, their size (AV1 specification, 5.3).
    func endsWithinOBU() throws(MediaError) -> Bool {
        try endsWithinUnit { head in
            guard let first = head.first else { return nil }
            // Without a size it is the last unit.
            guard first & 0x82 == 2 else { return (0, nil) }
            let start = first & 4 == 0 ? 1 : 2
            return Self.variable(head.dropFirst(start)).map { (start + $0.width, $0.value) }
        }
    }

    /// Temporal units have their size (AV1 specification, annex B).
    func endsWithinTemporalUnit() throws(MediaError) -> Bool {
        try endsWithinUnit { head in Self.variable(head).map { ($0.width, $0.value) } }
    }

    /// Walks units whose head of at most ten bytes has their size; nil of one that is cut, or without a size.
    private func endsWithinUnit(
        _ unit: (ArraySlice<UInt8>) -> (head: Int, size: UInt64?)?
    ) throws(MediaError) -> Bool {
        var window = HeaderWindow(bytes)
        var place = 0
        while place < bytes.count {
            try opening.check()
            let head = try window.read(at: place, count: 10)
            guard let unit = unit(head) else { return head.count < 10 }
            guard let size = unit.size else { return false }
            if isBehindEnd(place + unit.head, size) { return true }
            place += unit.head + Int(size)
        }
        return false
    }

    /// A number in groups of seven bits, the lowest first (`leb128()`); nil where it does not end.
    private static func variable(_ bytes: ArraySlice<UInt8>) -> (width: Int, value: UInt64)? {
        guard let end = bytes.prefix(8).firstIndex(where: { $0 & 0x80 == 0 }) else { return nil }
        let value = bytes[...end].reversed().reduce(UInt64(0)) { $0 << 7 | UInt64($1 & 0x7F) }
        return (end - bytes.startIndex + 1, value)
    }

    // MARK: - Transport streams

    /// Packets have 188 bytes, with time codes before them or check sums behind them 192 or 204, and begin with 0x47
    /// (ISO/IEC 13818-1, 2.4.3.2).
    func endsWithinTransportPacket() throws(MediaError) -> Bool {
        let start = try bytes.bytes(2048, at: 0)
        for first in start.indices.prefix(204) {
            for size in [188, 192, 204] {
                let places = stride(from: first, to: start.count, by: size)
                guard first + 4 * size < start.count, places.allSatisfy({ start[$0] == 0x47 })
                else {
                    continue
                }
                let rest = (bytes.count - first) % size
                // What follows may be no packet, but zeros.
                return try bytes.bytes(min(1, rest), at: bytes.count - rest) == [0x47]
            }
        }
        return false
    }

    // MARK: - Motion JPEG

    /// Behind the last beginning of a picture is an end of one, unless the picture is larger than what is looked at.
    func endsWithinJPEG() throws(MediaError) -> Bool {
        let start = max(0, bytes.count - (1 << 20))
        let tail = try bytes.bytes(bytes.count - start, at: start)
        for place in tail.indices.dropLast().reversed() where tail[place] == 0xFF {
            if tail[place + 1] == 0xD9 { return false }
            if tail[place + 1] == 0xD8, place + 2 >= tail.count || tail[place + 2] == 0xFF {
                return true
            }
        }
        return tail.count < bytes.count
    }
}

/// The first line of Y4M.
private enum Y4MHeader {
    /// The bytes of a picture; nil where the line does not tell, or not in words that are known.
    static func pictureBytes(_ line: ArraySlice<UInt8>) -> Int? {
        var (width, height, kind) = (0, 0, "420")
        for word in line.split(separator: UInt8(ascii: " ")).dropFirst() {
            let text = String(decoding: word.dropFirst(), as: UTF8.self)
            switch word.first {
            case UInt8(ascii: "W"): width = Int(text) ?? 0
            case UInt8(ascii: "H"): height = Int(text) ?? 0
            case UInt8(ascii: "C"): kind = text
            default: break
            }
        }
        guard let size = PixelSize(checking: width, height) else { return nil }
        return pictureBytes(size, kind)
    }

    private static func pictureBytes(_ size: PixelSize, _ kind: String) -> Int? {
        let halfWidth = (size.width + 1) / 2
        let luma = size.width * size.height
        let samples: Int? =
            if kind.hasPrefix("420") {
                luma + 2 * halfWidth * ((size.height + 1) / 2)
            } else if kind.hasPrefix("422") {
                luma + 2 * halfWidth * size.height
            } else if kind.hasPrefix("411") {
                luma + 2 * ((size.width + 3) / 4) * size.height
            } else if kind.hasPrefix("444alpha") {
                luma * 4
            } else if kind.hasPrefix("444") {
                luma * 3
            } else if kind.hasPrefix("mono") {
                luma
            } else {
                nil
            }
        return samples.map { $0 * (isDeep(kind) ? 2 : 1) }
    }

    /// Whether samples have two bytes: `420p10`, `mono16`.
    private static func isDeep(_ kind: String) -> Bool {
        let digits = String(kind.reversed().prefix { ("0"..."9").contains($0) }.reversed())
        let isNamed = kind.hasPrefix("mono") || kind.dropFirst(3).first == "p"
        return isNamed && (9...16).contains(Int(digits) ?? 8)
    }
}
