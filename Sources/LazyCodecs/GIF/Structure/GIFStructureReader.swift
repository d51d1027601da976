internal import LazyMedia

/// Reads the structure of a GIF from block to block; every read is checked against the end.
struct GIFStructureReader: ~Copyable {
    private static let signature: [UInt8] = [0x47, 0x49, 0x46]

    private let limits: DecodingLimits
    private var window: GIFWindow
    private var position = 0
    private var scan = GIFScan()
    /// The next image, to which a graphic control before it belongs.
    private var image = GIFImage()
    /// The bytes of the last data block that was skipped.
    private var lastBlock = 0

    /// Begins before the first byte.
    init(_ source: any ByteSource, _ limits: DecodingLimits) {
        self.limits = limits
        window = GIFWindow(source, size: 1 << 18)
    }

    /// Reads all blocks; nil where the source does not begin with a GIF's signature and screen descriptor.
    ///
    /// Throws where the source cannot be read, and as soon as there are too many images.
    mutating func read() throws(MediaError) -> GIFScan? {
        let isGIF = readScreen()
        if isGIF { scan.damage = skip(scan.bodyOffset - position) ? try readBlocks() : .truncated }
        if let failure = window.failure { throw failure }
        guard isGIF else { return nil }
        scan.didReadBlocks()
        return scan
    }

    /// Reads the signature and the logical screen descriptor; false where they are not there.
    private mutating func readScreen() -> Bool {
        for expected in Self.signature {
            guard nextByte() == expected else { return false }
        }
        guard skip(3), let width = nextWord(), let height = nextWord(), let flags = nextByte(),
            skip(2)
        else { return false }
        scan.screen = (width, height)
        scan.globalColorCount = Self.colorCount(flags)
        return true
    }

    private mutating func readBlocks() throws(MediaError) -> GIFScan.Damage? {
        while true {
            let offset = position
            switch nextByte() {
            case 0x21:
                guard readExtension(at: offset) else { return .truncated }
                try limits.check(entries: scan.loops.count)
            case 0x2C:
                image.descriptorOffset = offset
                guard readImage() else { return .truncated }
                scan.images.append(image)
                try limits.check(entries: scan.images.count)
                guard image.isTerminated else { return .truncated }
                image = GIFImage()
            case 0x3B: return nil
            case let introducer?: return .unknownBlock(introducer, offset: offset)
            case nil: return .noTrailer
            }
        }
    }

    /// The number of colors of a palette, by the flags of a screen or an image.
    private static func colorCount(_ flags: UInt8) -> Int? {
        flags & 0x80 != 0 ? 2 << Int(flags & 7) : nil
    }

    // MARK: - Blocks

    /// Reads an image's descriptor and skips its data; false where the file ends before the data.
    private mutating func readImage() -> Bool {
        guard let left = nextWord(), let top = nextWord(), let width = nextWord(),
            let height = nextWord(), let flags = nextByte()
        else { return false }
        image.rect = PixelRect(x: left, y: top, width: width, height: height)
        image.isInterlaced = flags & 0x40 != 0
        image.localColorCount = Self.colorCount(flags)
        guard skip((image.localColorCount ?? 0) * 3), let codeSize = nextByte() else {
            return false
        }
        image.minimumCodeSize = Int(codeSize)
        let data = position
        if let total = skipBlocks() {
            image.dataByteCount = total
            image.isTerminated = true
            image.hasEndCode = endsWithCode(codeSize, of: total)
        } else {
            image.dataByteCount = window.count - data
        }
        return true
    }

    /// Whether data that was skipped ends with the code of an end, in whatever width codes had then.
    ///
    /// Its highest bit is the last one that is set; up to three zeros of its width and seven of the last byte follow,
    /// and another byte of FFmpeg's encoder.
    private mutating func endsWithCode(_ size: UInt8, of total: Int) -> Bool {
        guard (2...8).contains(size), total >= 3 else { return false }
        var bits: UInt32 = 0
        for back in (0..<min(4, total)).reversed() {
            // Before the terminator; where the last block is short, its length lies between the bytes.
            let place = position - 2 - back - (back >= lastBlock ? 1 : 0)
            guard let byte = window.byte(at: place) else { return false }
            bits = bits >> 8 | UInt32(byte) << 24
        }
        let unused = bits.leadingZeroBitCount
        guard unused <= 18, bits != 0 else { return false }
        return bits >> UInt32(32 - unused - Int(size) - 1) == 1 << size | 1
    }

    /// Reads an extension; false where the file ends in it.
    private mutating func readExtension(at offset: Int) -> Bool {
        switch nextByte() {
        case 0xF9: readGraphicControl()
        case 0xFF: readApplication(at: offset)
        case nil: false
        default: skipBlocks() != nil
        }
    }

    /// Reads a graphic control extension; one shorter than four bytes is ignored.
    private mutating func readGraphicControl() -> Bool {
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

    /// Reads an application extension, which may be a loop.
    private mutating func readApplication(at offset: Int) -> Bool {
        guard let count = nextByte() else { return false }
        guard count > 0 else { return true }
        guard count == 11 else { return skip(Int(count)) && skipBlocks() != nil }
        var name: [UInt8] = []
        for _ in 0..<11 {
            guard let byte = nextByte() else { return false }
            name.append(byte)
        }
        guard name.elementsEqual("NETSCAPE2.0".utf8) || name.elementsEqual("ANIMEXTS1.0".utf8)
        else { return skipBlocks() != nil }
        return readLoop(at: offset)
    }

    /// Reads the data blocks of a loop extension: the first is 1 and the number.
    ///
    /// Further ones, such as 2 and a buffer size, are ignored (as in Chromium 156).
    private mutating func readLoop(at offset: Int) -> Bool {
        guard let length = nextByte() else { return false }
        guard length == 3 else { return skip(Int(length)) && (length == 0 || skipBlocks() != nil) }
        let numberOffset = position + 1
        guard let kind = nextByte(), let number = nextWord() else { return false }
        let isWhole = skipBlocks() != nil
        if kind == 1 {
            scan.loops.append(
                GIFScan.Loop(
                    block: offset..<position, numberOffset: numberOffset, number: number))
        }
        return isWhole
    }

    // MARK: - Bytes

    @inline(__always)
    private mutating func nextByte() -> UInt8? {
        guard let byte = window.byte(at: position) else { return nil }
        position &+= 1
        return byte
    }

    private mutating func nextWord() -> Int? {
        guard let low = nextByte(), let high = nextByte() else { return nil }
        return Int(low) | Int(high) << 8
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
    private mutating func skipBlocks() -> Int? {
        var total = 0
        lastBlock = 0
        while let count = nextByte() {
            guard count > 0 else { return total }
            lastBlock = Int(count)
            guard skip(Int(count)) else { return nil }
            total &+= Int(count)
        }
        return nil
    }
}
