/// The header of an ISO base media box: its type and size (ISO/IEC 14496-12, 4.2).
package struct ISOBoxHeader {
    /// The four-character type as a number.
    package let kind: UInt32
    /// The size of the header in bytes.
    package let headerSize: Int
    /// The size of the whole box in bytes.
    package let length: Int

    /// Reads a header from the first 16 bytes of a box, or 8 for a 32-bit size; nil where it is invalid.
    ///
    /// A size of 0 means the remaining `room`. The size may exceed it.
    package init?(_ bytes: [UInt8], at offset: Int = 0, room: Int) {
        guard room >= 8, bytes.count - offset >= 8 else { return nil }
        let short = Int(bytes.bigEndian32(at: offset))
        kind = bytes.bigEndian32(at: offset + 4)
        switch short {
        case 0: (headerSize, length) = (8, room)
        case 1:
            let long = bytes.bigEndian64(at: offset + 8)
            guard room >= 16, bytes.count - offset >= 16, long < 1 << 62 else { return nil }
            (headerSize, length) = (16, Int(long))
        default: (headerSize, length) = (8, short)
        }
        guard length >= headerSize else { return nil }
    }
}

/// One complete box of ISO base media in memory: its type, and the ranges of the box and its content.
package struct ISOBox {
    package let kind: UInt32
    /// The whole box with its header.
    package let range: Range<Int>
    /// The bytes after the header.
    package let content: Range<Int>

    /// Reads a box that is complete before `end`, or nil.
    package init?(_ bytes: [UInt8], at offset: Int, end: Int) {
        guard let head = ISOBoxHeader(bytes, at: offset, room: end - offset),
            head.length <= end - offset
        else { return nil }
        kind = head.kind
        range = offset..<(offset + head.length)
        content = (offset + head.headerSize)..<(offset + head.length)
    }

    /// The consecutive boxes in a range, up to the first incomplete one.
    package static func boxes(_ bytes: [UInt8], in range: Range<Int>) -> [ISOBox] {
        var boxes: [ISOBox] = []
        var offset = range.lowerBound
        while let box = ISOBox(bytes, at: offset, end: range.upperBound) {
            boxes.append(box)
            offset = box.range.upperBound
        }
        return boxes
    }

    /// The boxes in this one.
    package func children(_ bytes: [UInt8]) -> [ISOBox] { Self.boxes(bytes, in: content) }

    /// The first box on a path of types below this one.
    package func child(_ path: StaticString..., in bytes: [UInt8]) -> ISOBox? {
        path.reduce(self) { box, name in
            box?.children(bytes).first { $0.kind == Self.kind(name) }
        }
    }

    /// A type as a number.
    package static func kind(_ letters: StaticString) -> UInt32 {
        UnsafeRawBufferPointer(start: letters.utf8Start, count: 4).reduce(0) {
            $0 << 8 | UInt32($1)
        }
    }

    /// The bytes of a box of a type.
    package static func make(_ letters: StaticString, _ content: [UInt8]) -> [UInt8] {
        make(kind(letters), content)
    }

    /// The bytes of a box of a type.
    package static func make(_ kind: UInt32, _ content: [UInt8]) -> [UInt8] {
        (8 + content.count).bigEndianBytes32 + kind.bigEndianBytes + content
    }

    /// The bytes of a box whose content begins with a version and flags.
    package static func makeFull(
        _ letters: StaticString, version: UInt8, flags: UInt32 = 0, _ content: [UInt8]
    ) -> [UInt8] {
        make(letters, (UInt32(version) << 24 | flags).bigEndianBytes + content)
    }
}
