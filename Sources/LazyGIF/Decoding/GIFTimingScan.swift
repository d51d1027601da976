internal import LazyMedia

/// Where a GIF says how often it plays and how long its frames are shown.
struct GIFTimingScan {
    /// A frame: where its descriptor begins, and its delay, if it has a graphic control.
    struct Image {
        let start: Int
        let delay: (place: Int, hundredths: Int)?
    }

    /// Loop extensions: the whole block, and where in it the number stands.
    private(set) var loops: [(block: Range<Int>, number: Int)] = []
    private(set) var images: [Image] = []
    /// Where the first block begins, behind screen and palette.
    private(set) var bodyStart = 13
    private var window: GIFWindow.Reading

    /// Walks all blocks; throws a sentence where they do not lead to the end.
    static func scan(
        _ source: any ByteSource, limits: DecodingLimits
    ) throws(MediaError) -> GIFTimingScan {
        var scan = GIFTimingScan(window: GIFWindow.Reading(source))
        try scan.walk(limits)
        if let failure = scan.window.failure { throw failure }
        guard !scan.images.isEmpty else {
            throw MediaError(.malformed, "The GIF holds no image.")
        }
        return scan
    }

    private init(window: GIFWindow.Reading) { self.window = window }

    private mutating func walk(_ limits: DecodingLimits) throws(MediaError) {
        guard let flags = window.byte(at: 10), window.byte(at: 0) == 0x47 else { throw .cutGIF }
        if flags & 0x80 != 0 { bodyStart += 3 * (2 << Int(flags & 7)) }
        var position = bodyStart
        var delay: (place: Int, hundredths: Int)?
        while let introducer = window.byte(at: position) {
            switch introducer {
            case 0x3B: return
            case 0x2C:
                guard let flags = window.byte(at: position + 9) else { throw .cutGIF }
                images.append(Image(start: position, delay: delay))
                try limits.check(entries: images.count)
                delay = nil
                let palette = flags & 0x80 != 0 ? 3 * (2 << Int(flags & 7)) : 0
                position = try endOfBlocks(position + 11 + palette)
            case 0x21:
                let end = try endOfBlocks(position + 2)
                let label = window.byte(at: position + 1)
                if label == 0xF9, window.byte(at: position + 2) ?? 0 >= 4 {
                    delay = (position + 4, window.word(at: position + 4))
                } else if label == 0xFF, isLoop(position) {
                    loops.append((position..<end, position + 16))
                }
                position = end
            default:
                throw MediaError(
                    .malformed, "The GIF holds a block of unknown kind at \(position).")
            }
        }
        // Without a trailer: all blocks were whole.
        guard position <= window.count else { throw .cutGIF }
    }

    /// Behind the terminator of data blocks that begin at a place.
    private mutating func endOfBlocks(_ start: Int) throws(MediaError) -> Int {
        var position = start
        while let count = window.byte(at: position) {
            position += 1 + Int(count)
            if count == 0 { return position }
        }
        throw .cutGIF
    }

    /// Whether an application extension is one whose first data block is 1 and a number.
    private mutating func isLoop(_ start: Int) -> Bool {
        guard window.byte(at: start + 2) == 11 else { return false }
        let name = (0..<11).compactMap { window.byte(at: start + 3 + $0) }
        return (name.elementsEqual("NETSCAPE2.0".utf8) || name.elementsEqual("ANIMEXTS1.0".utf8))
            && window.byte(at: start + 14) == 3 && window.byte(at: start + 15) == 1
    }
}

extension MediaError {
    fileprivate static let cutGIF = MediaError(.truncated, "The GIF ends inside a block.")
}

extension GIFWindow {
    /// A window that a copyable scan can hold; it has one user.
    final class Reading {
        private var window: GIFWindow
        init(_ source: any ByteSource) { window = GIFWindow(source, size: 1 << 16) }
        var count: Int { window.count }
        var failure: MediaError? { window.failure }
        func byte(at offset: Int) -> UInt8? { window.byte(at: offset) }
        func word(at offset: Int) -> Int {
            Int(byte(at: offset) ?? 0) | Int(byte(at: offset + 1) ?? 0) << 8
        }
    }
}
