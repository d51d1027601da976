internal import LazyBytes

/// Counts the whole frames of a GIF that is still arriving; each block is looked at once.
struct GIFFrameWalk {
    private enum Place {
        case block
        /// In data blocks, of an image or of an extension.
        case data(isImage: Bool)
        case end
    }

    /// Frames that are there whole.
    private(set) var frameCount = 0
    private var position = 0
    private var place = Place.block

    /// Walks on through what has arrived since.
    mutating func advance(_ blob: Blob) {
        var window = BlobWindow(blob)
        if position == 0 {
            // Signature and screen descriptor; its flags say how long the palette is.
            guard let flags = window.byte(at: 10), window.byte(at: 12) != nil else { return }
            position = 13 + Self.paletteLength(flags)
        }
        while step(&window) {}
    }

    /// Steps over a block; false at the end and where the block is not there yet.
    private mutating func step(_ window: inout BlobWindow) -> Bool {
        guard let first = window.byte(at: position) else { return false }
        switch place {
        case .end: return false
        case .block: return enterBlock(first, &window)
        case .data(let isImage):
            guard first > 0 else {
                if isImage { frameCount += 1 }
                position += 1
                place = .block
                return true
            }
            guard window.byte(at: position + Int(first)) != nil else { return false }
            position += 1 + Int(first)
            return true
        }
    }

    private mutating func enterBlock(_ introducer: UInt8, _ window: inout BlobWindow) -> Bool {
        switch introducer {
        case 0x21:
            position += 2
            place = .data(isImage: false)
        case 0x2C:
            guard let flags = window.byte(at: position + 9) else { return false }
            // The descriptor, the palette, and the size of the first codes.
            position += 10 + Self.paletteLength(flags) + 1
            place = .data(isImage: true)
        default:
            place = .end
        }
        return true
    }

    private static func paletteLength(_ flags: UInt8) -> Int {
        flags & 0x80 != 0 ? 3 * (2 << Int(flags & 7)) : 0
    }
}
