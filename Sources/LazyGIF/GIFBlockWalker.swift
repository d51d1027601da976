/// Steps through the blocks of a GIF; every read is checked against the end.
struct GIFBlockWalker {
    private let bytes: UnsafeRawBufferPointer
    private var position = 13
    let screen: (width: Int, height: Int)
    let globalColorCount: Int?

    /// Reads the signature and the logical screen descriptor; nil where they are not there.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 13, bytes.starts(with: [0x47, 0x49, 0x46]) else { return nil }
        self.bytes = bytes
        screen = (Self.word(bytes, 6), Self.word(bytes, 8))
        globalColorCount = bytes[10] & 0x80 != 0 ? 2 << Int(bytes[10] & 7) : nil
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
        Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    mutating func skipGlobalPalette() -> Bool { skip((globalColorCount ?? 0) * 3) }

    mutating func nextByte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// The byte that says which block comes, and its offset.
    mutating func nextIntroducer() -> (UInt8, offset: Int)? {
        let offset = position
        return nextByte().map { ($0, offset) }
    }

    private mutating func skip(_ count: Int) -> Bool {
        guard bytes.count - position >= count else {
            position = bytes.count
            return false
        }
        position += count
        return true
    }

    /// Skips data blocks and their terminator; returns their bytes, nil at the end of the data.
    mutating func skipBlocks() -> Int? {
        var total = 0
        while let count = nextByte() {
            guard count > 0 else { return total }
            guard skip(Int(count)) else { return nil }
            total += Int(count)
        }
        return nil
    }

    /// Reads an image's descriptor and skips its data; false where not even data begins.
    mutating func readImage(_ image: inout GIFImage) -> Bool {
        let start = position
        guard skip(9) else { return false }
        image.descriptorOffset = start - 1
        image.rect = GIFRect(
            left: Self.word(bytes, start), top: Self.word(bytes, start + 2),
            width: Self.word(bytes, start + 4), height: Self.word(bytes, start + 6))
        let flags = bytes[start + 8]
        image.isInterlaced = flags & 0x40 != 0
        image.localColorCount = flags & 0x80 != 0 ? 2 << Int(flags & 7) : nil
        guard skip((image.localColorCount ?? 0) * 3), let codeSize = nextByte() else {
            return false
        }
        image.minimumCodeSize = Int(codeSize)
        let data = position
        if let total = skipBlocks() {
            image.dataByteCount = total
            image.isTerminated = true
        } else {
            image.dataByteCount = bytes.count - data
        }
        return true
    }

    /// Reads a graphic control extension; a shorter one than the four bytes says nothing.
    mutating func readGraphicControl(_ image: inout GIFImage) -> Bool {
        let start = position
        guard skipBlocks() != nil else { return false }
        guard bytes[start] >= 4 else { return true }
        let flags = bytes[start + 1]
        image.disposal = GIFImage.Disposal(raw: Int(flags >> 2 & 7))
        image.delay = Self.word(bytes, start + 2)
        image.transparentIndex = flags & 1 != 0 ? bytes[start + 4] : nil
        return true
    }

    /// Reads an application extension: whether it is whole, and the loop number it may carry.
    mutating func readApplication() -> (isWhole: Bool, loop: Int?)? {
        let start = position
        guard let count = nextByte(), skip(Int(count)) else { return nil }
        guard count > 0 else { return (true, nil) }
        let isLoop = count == 11 && names(start + 1, "NETSCAPE2.0", "ANIMEXTS1.0")
        var loop: Int?
        while let length = nextByte() {
            guard length > 0 else { return (true, loop) }
            let data = position
            guard skip(Int(length)) else { break }
            if isLoop, length == 3, bytes[data] == 1 { loop = Self.word(bytes, data + 1) }
        }
        return (false, loop)
    }

    private func names(_ offset: Int, _ names: StaticString...) -> Bool {
        names.contains { name in
            name.withUTF8Buffer { $0.elementsEqual(bytes[offset..<offset + 11]) }
        }
    }
}
