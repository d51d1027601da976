internal import LazyMedia

/// Containers whose header or lists state their length.
extension DeclaredEnd {
    // MARK: - ASF

    /// The data object has its size ("Advanced Systems Format Specification", 5.1); the index follows it.
    func endsWithinData() throws(MediaError) -> Bool {
        var place = 0
        for _ in 0..<16 {
            let head = try bytes.bytes(24, at: place)
            guard head.count == 24 else { return false }
            let size = head.littleEndian(at: 16, count: 8)
            if head.starts(with: Self.data) { return size > 50 && isBehindEnd(place, size) }
            guard let end = Int(exactly: size).map({ place.addingReportingOverflow($0) }),
                !end.overflow, size >= 24
            else { return false }
            if place == 0, try isBroadcast(within: end.partialValue) { return false }
            // Nothing is known of what does not begin.
            if end.partialValue >= bytes.count { return true }
            place = end.partialValue
        }
        return false
    }

    /// Whether the header says that it was written while it was sent, so that sizes are none (3.2).
    private func isBroadcast(within end: Int) throws(MediaError) -> Bool {
        var place = 30
        while place < min(end, bytes.count) {
            let head = try bytes.bytes(92, at: place)
            guard head.count > 24 else { return false }
            if head.starts(with: Self.fileProperties) {
                return head.count == 92 && head[88] & 1 == 1
            }
            let size = head.littleEndian(at: 16, count: 8)
            guard (24..<UInt64(Int32.max)).contains(size) else { return false }
            place += Int(size)
        }
        return false
    }

    private static let data: [UInt8] = [
        0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE,
        0x6C,
    ]
    private static let fileProperties: [UInt8] = [
        0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53,
        0x65,
    ]

    // MARK: - RealMedia

    /// Chunks have a name of four letters and their size; that of packets is 0 where it was sent.
    func endsWithinChunk() throws(MediaError) -> Bool {
        var place = 0
        for _ in 0..<256 {
            let head = try bytes.bytes(8, at: place)
            guard head.count == 8 else { return false }
            let size = UInt64(head.bigEndian32(at: 4))
            if head.starts(with: "DATA".utf8) {
                // FFmpeg counts the head of its chunk twice.
                return size > 18 && isBehindEnd(place, size - 18)
            }
            guard size >= 8, head[0] >= 0x20 else { return false }
            place += Int(size)
            if place >= bytes.count { return true }
        }
        return false
    }

    // MARK: - Flash

    /// The header has the length before compression.
    func endsWithinFilm() throws(MediaError) -> Bool {
        let head = try bytes.bytes(8, at: 0)
        guard head.count == 8, head.starts(with: "FWS".utf8) else { return false }
        return isBehindEnd(0, head.littleEndian(at: 4, count: 4))
    }

    // MARK: - MXF

    /// The first partition says where the last one begins, if that was known (SMPTE ST 377-1, 7.1); else keys and lengths
    /// lead to the end.
    func endsWithinPartition() throws(MediaError) -> Bool {
        var window = HeaderWindow(bytes)
        var place = 0
        while place < bytes.count {
            try opening.check()
            let head = Array(try window.read(at: place, count: 25))
            guard head.count > 16 else { return true }
            guard head.starts(with: Self.label) else { return false }
            let width = head[16] & 0x80 == 0 ? 0 : Int(head[16] & 0x7F)
            guard width <= 8 else { return false }
            guard head.count >= 17 + width else { return true }
            let length =
                width == 0
                ? UInt64(head[16]) : head[17..<17 + width].reduce(0) { $0 << 8 | UInt64($1) }
            let content = place + 17 + width
            if place == 0 {
                let footer = try window.number(at: content + 24, count: 8)
                if footer > 0 { return footer >= UInt64(bytes.count) }
            }
            if isBehindEnd(content, length) { return true }
            place = content + Int(length)
        }
        return false
    }

    private static let label: [UInt8] = [0x06, 0x0E, 0x2B, 0x34]

    // MARK: - Sizes

    /// Whether what begins at an offset ends behind the file.
    func isBehindEnd(_ place: Int, _ size: UInt64) -> Bool {
        size > UInt64(max(0, bytes.count - place))
    }
}

extension [UInt8] {
    /// A number of up to eight bytes, the lowest first; 0 beyond the end.
    func littleEndian(at place: Int, count: Int) -> UInt64 {
        guard place + count <= self.count else { return 0 }
        return self[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
