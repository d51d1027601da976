internal import LazyMedia

/// One box of ISO base media in memory: its kind, and where it and its content stand.
struct ISOBox {
    let kind: UInt32
    /// All of it, with its head.
    let range: Range<Int>
    /// What follows size and kind.
    let content: Range<Int>

    /// The boxes that follow each other in a range; ends at what is no whole box.
    static func boxes(_ bytes: [UInt8], in range: Range<Int>) -> [ISOBox] {
        var boxes: [ISOBox] = []
        var offset = range.lowerBound
        while let box = ISOBox(bytes, at: offset, end: range.upperBound) {
            boxes.append(box)
            offset = box.range.upperBound
        }
        return boxes
    }

    init?(_ bytes: [UInt8], at offset: Int, end: Int) {
        guard offset + 8 <= end else { return nil }
        var length = Int(bytes.number32(at: offset))
        var head = 8
        if length == 1 {
            guard offset + 16 <= end else { return nil }
            length = Int(clamping: bytes.number64(at: offset + 8))
            head = 16
        } else if length == 0 {
            length = end - offset
        }
        guard length >= head, length <= end - offset else { return nil }
        kind = bytes.number32(at: offset + 4)
        range = offset..<(offset + length)
        content = (offset + head)..<(offset + length)
    }

    /// The boxes inside.
    func children(_ bytes: [UInt8]) -> [ISOBox] { Self.boxes(bytes, in: content) }

    /// The first box inside of a kind.
    func child(_ name: StaticString, _ bytes: [UInt8]) -> ISOBox? {
        let kind = Self.kind(name)
        return children(bytes).first { $0.kind == kind }
    }

    /// A kind as the number it is compared by.
    static func kind(_ letters: StaticString) -> UInt32 {
        UnsafeRawBufferPointer(start: letters.utf8Start, count: 4).reduce(0) {
            $0 << 8 | UInt32($1)
        }
    }

    /// A box of a kind with content.
    static func made(_ letters: StaticString, _ content: [UInt8]) -> [UInt8] {
        (8 + content.count).bytes32 + kind(letters).bytes + content
    }

    /// A box of a kind with a version, flags and content.
    static func full(
        _ letters: StaticString, version: UInt8, flags: UInt32 = 0, _ content: [UInt8]
    ) -> [UInt8] {
        made(letters, (UInt32(version) << 24 | flags).bytes + content)
    }
}

extension [UInt8] {
    /// The big-endian number of four bytes; 0 behind the end.
    func number32(at offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return self[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The big-endian number of eight bytes; 0 behind the end.
    func number64(at offset: Int) -> UInt64 {
        UInt64(number32(at: offset)) << 32 | UInt64(number32(at: offset + 4))
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The bytes of the number, the highest first.
    var bytes: [UInt8] {
        (0..<(Self.bitWidth / 8)).map {
            UInt8(truncatingIfNeeded: self >> Self(Self.bitWidth - 8 - 8 * $0))
        }
    }
}

extension Int {
    /// The lower four bytes, the highest first.
    var bytes32: [UInt8] { UInt32(truncatingIfNeeded: self).bytes }
}
