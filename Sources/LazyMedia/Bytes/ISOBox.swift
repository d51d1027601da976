/// The head of a box of ISO base media: its kind and length (ISO/IEC 14496-12, 4.2).
package struct ISOBoxHead {
    /// Four letters as a number.
    package let kind: UInt32
    /// The bytes of the head.
    package let headCount: Int
    /// The bytes of all of the box, head included.
    package let length: Int

    /// Reads the first 16 bytes of a box, or 8 where its length is short; nil where it is none.
    ///
    /// A box of length 0 takes all the `room` there is. A box may be longer than that.
    package init?(_ bytes: [UInt8], at offset: Int = 0, room: Int) {
        guard room >= 8, bytes.count - offset >= 8 else { return nil }
        let short = Int(bytes.bigEndian32(at: offset))
        kind = bytes.bigEndian32(at: offset + 4)
        switch short {
        case 0: (headCount, length) = (8, room)
        case 1:
            let long = bytes.bigEndian64(at: offset + 8)
            guard room >= 16, bytes.count - offset >= 16, long < 1 << 62 else { return nil }
            (headCount, length) = (16, Int(long))
        default: (headCount, length) = (8, short)
        }
        guard length >= headCount else { return nil }
    }
}

/// One box of ISO base media in memory: its kind, and where it and its content stand.
package struct ISOBox {
    package let kind: UInt32
    /// All of it, with its head.
    package let range: Range<Int>
    /// What follows size and kind.
    package let content: Range<Int>

    /// Reads a box that is whole before `end`, or nil.
    package init?(_ bytes: [UInt8], at offset: Int, end: Int) {
        guard let head = ISOBoxHead(bytes, at: offset, room: end - offset),
            head.length <= end - offset
        else { return nil }
        kind = head.kind
        range = offset..<(offset + head.length)
        content = (offset + head.headCount)..<(offset + head.length)
    }

    /// The boxes that follow each other in a range; ends at what is no whole box.
    package static func boxes(_ bytes: [UInt8], in range: Range<Int>) -> [ISOBox] {
        var boxes: [ISOBox] = []
        var offset = range.lowerBound
        while let box = ISOBox(bytes, at: offset, end: range.upperBound) {
            boxes.append(box)
            offset = box.range.upperBound
        }
        return boxes
    }

    /// The boxes inside.
    package func children(_ bytes: [UInt8]) -> [ISOBox] { Self.boxes(bytes, in: content) }

    /// The first box that is found by following a path of kinds from here.
    package func child(_ path: StaticString..., in bytes: [UInt8]) -> ISOBox? {
        path.reduce(self) { box, name in
            box?.children(bytes).first { $0.kind == Self.kind(name) }
        }
    }

    /// A kind as the number it is compared by.
    package static func kind(_ letters: StaticString) -> UInt32 {
        UnsafeRawBufferPointer(start: letters.utf8Start, count: 4).reduce(0) {
            $0 << 8 | UInt32($1)
        }
    }

    /// Writes a box of a kind with content.
    package static func made(_ letters: StaticString, _ content: [UInt8]) -> [UInt8] {
        made(kind(letters), content)
    }

    /// Writes a box of a kind with content.
    package static func made(_ kind: UInt32, _ content: [UInt8]) -> [UInt8] {
        (8 + content.count).bigEndianBytes32 + kind.bigEndianBytes + content
    }

    /// Writes a box of a kind with a version, flags and content.
    package static func full(
        _ letters: StaticString, version: UInt8, flags: UInt32 = 0, _ content: [UInt8]
    ) -> [UInt8] {
        made(letters, (UInt32(version) << 24 | flags).bigEndianBytes + content)
    }
}
