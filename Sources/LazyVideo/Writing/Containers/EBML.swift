/// The elements of Matroska and WebM (RFC 8794, RFC 9559).
struct EBML {
    /// The bytes so far.
    private(set) var bytes: [UInt8] = []

    /// Writes an element with binary content.
    mutating func put(_ id: UInt32, _ body: [UInt8]) {
        putHead(id, body.count)
        bytes += body
    }

    /// Writes an element's ID and content size.
    mutating func putHead(_ id: UInt32, _ size: Int) {
        bytes += Self.head(id, size)
    }

    /// An element's ID and content size.
    static func head(_ id: UInt32, _ size: Int) -> [UInt8] {
        var head = BigEndian()
        head.put(id, id > 0xFF_FFFF ? 4 : id > 0xFFFF ? 3 : id > 0xFF ? 2 : 1)
        // All ones mean "unknown", so the largest number of a width is not used.
        var width = 1
        while width < 8, size >= 1 << (7 * width) - 1 { width += 1 }
        head.put(UInt64(size) | 1 << (7 * width), width)
        return head.bytes
    }

    /// A track's number, as blocks have it.
    static func track(_ number: Int) -> [UInt8] {
        number < 127
            ? [UInt8(0x80 | number)] : [UInt8(0x40 | number >> 8 & 0x3F), UInt8(number & 0xFF)]
    }

    /// Writes an unsigned number in as few bytes as possible, or in a given width.
    mutating func put(_ id: UInt32, _ value: Int, width: Int? = nil) {
        var needed = 1
        while needed < 8, value >> (8 * needed) != 0 { needed += 1 }
        var body = BigEndian()
        body.put(value, width ?? needed)
        put(id, body.bytes)
    }

    /// Writes a signed number.
    mutating func put(_ id: UInt32, signed value: Int) {
        var needed = 1
        while needed < 8, value >> (8 * needed - 1) != 0, value >> (8 * needed - 1) != -1 {
            needed += 1
        }
        var body = BigEndian()
        body.put(value, needed)
        put(id, body.bytes)
    }

    /// Writes a floating-point number.
    mutating func put(_ id: UInt32, _ value: Double) {
        var body = BigEndian()
        body.put(value.bitPattern, 8)
        put(id, body.bytes)
    }

    /// Writes text.
    mutating func put(_ id: UInt32, _ text: String) { put(id, Array(text.utf8)) }

    /// Writes an element of elements.
    mutating func put(_ id: UInt32, _ body: (inout EBML) -> Void) {
        var inner = EBML()
        body(&inner)
        put(id, inner.bytes)
    }
}
