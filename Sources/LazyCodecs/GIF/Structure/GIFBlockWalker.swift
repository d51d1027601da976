internal import LazyMedia

/// Steps through the blocks of a GIF; every read is checked against the end.
struct GIFBlockWalker: ~Copyable {
    private static let signature: [UInt8] = [0x47, 0x49, 0x46]

    private var window: GIFWindow
    private(set) var position = 0
    private(set) var screen = (width: 0, height: 0)
    private(set) var globalColorCount: Int?

    /// Begins before the first byte.
    init(_ source: any ByteSource) { window = GIFWindow(source, size: 1 << 18) }

    /// The error that reading the source met.
    var failure: MediaError? { window.failure }

    /// Reads the signature and the logical screen descriptor; false where they are not there.
    mutating func readScreen() -> Bool {
        for expected in Self.signature {
            guard nextByte() == expected else { return false }
        }
        guard skip(3), let width = nextWord(), let height = nextWord(), let flags = nextByte(),
            skip(2)
        else { return false }
        screen = (width, height)
        globalColorCount = flags & 0x80 != 0 ? 2 << Int(flags & 7) : nil
        return true
    }

    mutating func skipGlobalPalette() -> Bool { skip((globalColorCount ?? 0) * 3) }

    @inline(__always)
    mutating func nextByte() -> UInt8? {
        guard let byte = window.byte(at: position) else { return nil }
        position &+= 1
        return byte
    }

    private mutating func nextWord() -> Int? {
        guard let low = nextByte(), let high = nextByte() else { return nil }
        return Int(low) | Int(high) << 8
    }

    /// The next block's introducer and its offset.
    mutating func nextIntroducer() -> (UInt8, offset: Int)? {
        let offset = position
        return nextByte().map { ($0, offset) }
    }

    private mutating func skip(_ count: Int) -> Bool {
        guard window.count - position >= count else {
            position = window.count
            return false
        }
        position += count
        return true
    }

    /// Skips data blocks and their terminator; returns the number of bytes, nil where the data
    /// ends.
    mutating func skipBlocks() -> Int? {
        var total = 0
        while let count = nextByte() {
            guard count > 0 else { return total }
            guard skip(Int(count)) else { return nil }
            total &+= Int(count)
        }
        return nil
    }

    /// Reads an image's descriptor and skips its data; false where the file ends before the data.
    mutating func readImage(_ image: inout GIFImage) -> Bool {
        image.descriptorOffset = position - 1
        guard let left = nextWord(), let top = nextWord(), let width = nextWord(),
            let height = nextWord(), let flags = nextByte()
        else { return false }
        image.rect = PixelRect(x: left, y: top, width: width, height: height)
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
            image.dataByteCount = window.count - data
        }
        return true
    }

    /// Reads a graphic control extension; one shorter than four bytes is ignored.
    mutating func readGraphicControl(_ image: inout GIFImage) -> Bool {
        guard let count = nextByte() else { return false }
        guard count >= 4 else { return skip(Int(count)) && (count == 0 || skipBlocks() != nil) }
        guard let flags = nextByte(), case let offset = position, let delay = nextWord(),
            let transparent = nextByte(),
            skip(Int(count) - 4), skipBlocks() != nil
        else { return false }
        image.disposal = LayeredCanvas.Disposal(gif: Int(flags >> 2 & 7))
        image.delay = delay
        image.delayOffset = offset
        image.transparentIndex = flags & 1 != 0 ? transparent : nil
        return true
    }

    /// Reads an application extension: whether it is whole, and the loop number it may carry.
    mutating func readApplication() -> (isWhole: Bool, loop: (number: Int, offset: Int)?) {
        guard let count = nextByte() else { return (false, nil) }
        guard count > 0 else { return (true, nil) }
        guard count == 11 else { return (skip(Int(count)) && skipBlocks() != nil, nil) }
        var name: [UInt8] = []
        for _ in 0..<11 {
            guard let byte = nextByte() else { return (false, nil) }
            name.append(byte)
        }
        guard name.elementsEqual("NETSCAPE2.0".utf8) || name.elementsEqual("ANIMEXTS1.0".utf8)
        else { return (skipBlocks() != nil, nil) }
        return readLoop()
    }

    /// Reads the data blocks of a loop extension: the first is 1 and the number.
    ///
    /// Further ones, such as 2 and a buffer size, are ignored (as in Chromium 156).
    private mutating func readLoop() -> (isWhole: Bool, loop: (number: Int, offset: Int)?) {
        guard let length = nextByte() else { return (false, nil) }
        guard length == 3 else {
            return (skip(Int(length)) && (length == 0 || skipBlocks() != nil), nil)
        }
        let offset = position + 1
        guard let kind = nextByte(), let number = nextWord() else { return (false, nil) }
        return (skipBlocks() != nil, kind == 1 ? (number, offset) : nil)
    }
}
