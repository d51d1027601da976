internal import CKernels
internal import LazyMedia

/// Writes the chunks of a PNG file into reused memory.
struct PNGFileBytes: ~Copyable {
    /// The color types of `IHDR` that are written.
    enum Color: UInt8 {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6
    }

    private(set) var bytes = GrowingBytes()

    /// Begins a file with its header and what its samples mean.
    mutating func begin(
        size: PixelSize, depth: UInt8, color: Color, meaning: ColorDescription = .sRGB
    ) throws(MediaError) {
        bytes.removeAll()
        try bytes.append([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let sides = UInt32(size.width).bigEndianBytes + UInt32(size.height).bigEndianBytes
        try append("IHDR", sides + [depth, color.rawValue, 0, 0, 0])
        try append(meaning, isGray: color == .gray || color == .grayAlpha)
    }

    /// Writes `PLTE`, and `tRNS` up to the last color that is not opaque, unless all used ones are.
    mutating func append(palette: [UInt32], isOpaque: Bool = false) throws(MediaError) {
        // A color's bytes are those of memory: red is the lowest (x86-64, ARM).
        let colors = palette.flatMap { color in
            (0..<3).map { UInt8(truncatingIfNeeded: color >> (8 * $0)) }
        }
        try append("PLTE", colors)
        let alphas = palette.map { UInt8($0 >> 24) }
        guard !isOpaque, let last = alphas.lastIndex(where: { $0 < 255 }) else { return }
        try append("tRNS", alphas[...last])
    }

    /// Writes `tRNS` with the transparent gray, or red, green and blue.
    mutating func append(transparent samples: [UInt16]) throws(MediaError) {
        try append("tRNS", samples.flatMap(\.bigEndianBytes))
    }

    /// Writes each text: as `tEXt` if it is Latin-1, as `iTXt` otherwise.
    ///
    /// A keyword or a text that PNG cannot hold is a programming error.
    mutating func append(_ texts: PNGEncoder.Texts) throws(MediaError) {
        for text in texts {
            let key = Array(text.key.utf8) + [0]
            precondition((2...80).contains(key.count), "a keyword has 1 to 79 characters")
            precondition(!key.dropLast().contains { !(32...126 ~= $0) }, "a keyword is ASCII")
            precondition(!text.value.utf8.contains(0), "a text has no character of value 0")
            let latin = text.value.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            if latin.count == text.value.unicodeScalars.count {
                try append("tEXt", key + latin)
            } else {
                // No compression, no language and no translated keyword.
                try append("iTXt", key + [0, 0, 0, 0] + Array(text.value.utf8))
            }
        }
    }

    /// The chunk that pixels are written to.
    enum PixelChunk {
        /// `IDAT`.
        case still
        /// `fdAT` with its number in the sequence.
        case frame(sequence: UInt32)
    }

    /// Writes a chunk of compressed pixels.
    mutating func append(
        compressed: [UInt8], as chunk: PixelChunk
    ) throws(MediaError) {
        switch chunk {
        case .still: try append("IDAT", compressed)
        case .frame(let sequence): try append("fdAT", sequence.bigEndianBytes + compressed)
        }
    }

    /// Writes `IDAT` with `count` bytes that the closure compresses.
    mutating func appendPixels(
        of count: Int, effort: Deflater.Effort,
        with deflater: borrowing Deflater,
        _ compress: (borrowing Deflater, inout GrowingBytes) throws(MediaError) -> Void
    ) throws(MediaError) {
        let start = bytes.count
        try bytes.append([0, 0, 0, 0])
        try bytes.append("IDAT".utf8)
        // All that could be needed: ISA-L ends a block where its output buffer ends; equal pictures
        // must give equal bytes. What is not needed costs addresses, not memory.
        _ = try bytes.room(for: count + count / 16 + (1 << 16))
        deflater.begin(effort)
        try compress(deflater, &bytes)
        try finishChunk(from: start)
    }

    /// Writes `IDAT` with bytes that zlib compresses at its highest level.
    mutating func append(
        squeezed pixels: UnsafePointer<UInt8>, count: Int
    ) throws(MediaError) {
        var output = GrowingBytes()
        _ = try output.room(for: count + count / 16 + (1 << 12))
        guard cscanline_squeeze(9, pixels, count, &output.buffer) != 0 else {
            throw MediaError(.environment, "There is no memory for compressing a PNG.")
        }
        let compressed = try output.withBytes { (bytes) throws(MediaError) in Array(bytes) }
        try append(compressed: compressed, as: .still)
    }

    mutating func end() throws(MediaError) { try append("IEND", []) }

    /// Removes all and keeps the memory.
    mutating func removeAll() { bytes.removeAll() }

    /// Writes `acTL`: the number of frames, and of plays with 0 for forever.
    mutating func appendAnimation(frames: UInt32, plays: UInt32) throws(MediaError) {
        try append("acTL", frames.bigEndianBytes + plays.bigEndianBytes)
    }

    /// Writes a chunk: its length, name, data and checksum.
    mutating func append(
        _ name: String, _ data: some Collection<UInt8>
    ) throws(MediaError) {
        let start = bytes.count
        try bytes.append([0, 0, 0, 0])
        try bytes.append(name.utf8)
        try bytes.append(data)
        try finishChunk(from: start)
    }

    /// Fills in the length and appends the checksum of the chunk that begins at `start`.
    private mutating func finishChunk(from start: Int) throws(MediaError) {
        let length = bytes.count - start - 8
        guard length <= Int32.max else { throw Self.tooLong(length) }
        bytes.replace(at: start, with: UInt32(length).bigEndianBytes)
        try bytes.append(bytes.crc(from: start + 4).bigEndianBytes)
    }

    /// The error for a chunk of a length that PNG does not have.
    static func tooLong(_ length: Int) -> MediaError {
        MediaError(.notWritable, "A PNG chunk of \(length) bytes is too long to write.")
    }
}
