/// VP9's packets, which may have several pictures (VP9 specification, annex B).
enum VP9Packet {
    /// The number of shown pictures in a packet.
    static func shownPictures(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        frames(bytes).count { !$0.isEmpty && isShown($0[0]) }
    }

    /// The frames of a packet: one, or those of a superframe.
    static func frames(_ bytes: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
        var start = 0
        var frames: [UnsafeBufferPointer<UInt8>] = []
        for size in sizes(bytes) {
            guard start + size <= bytes.count else { break }
            frames.append(.init(rebasing: bytes[start..<start + size]))
            start += size
        }
        return frames
    }

    private static func sizes(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        guard let marker = bytes.last, marker >> 5 == 0b110 else { return [bytes.count] }
        let count = Int(marker & 7) + 1
        let width = Int(marker >> 3 & 3) + 1
        let length = 2 + count * width
        guard bytes.count >= length, bytes[bytes.count - length] == marker else {
            return [bytes.count]
        }
        let table = bytes.count - length + 1
        return (0..<count).map { i in
            (0..<width).reduce(0) { $0 | Int(bytes[table + i * width + $1]) << (8 * $1) }
        }
    }

    /// Uncompressed header, 6.2: marker 2, profile 2 (and 1 more for profile 3), then
    /// show_existing_frame, frame_type, show_frame.
    private static func isShown(_ byte: UInt8) -> Bool {
        let isLongProfile = byte >> 4 & 3 == 3
        let rest = isLongProfile ? byte << 5 : byte << 4
        return rest & 0x80 != 0 || rest & 0x20 != 0
    }
}
