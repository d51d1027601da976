internal import LazyMedia

/// Writes the escape sequences of one frame into memory that is large enough for any frame.
struct CellWriter {
    /// The cell of the picture's upper left corner, counted from 1.
    struct Origin {
        let line: Int
        let column: Int
    }
    private let output: UnsafeMutableRawBufferPointer
    private let origin: Origin?
    private var count = 0
    // What the terminal writes with now: 0xFFBBGGRR, 0 for its own, nil for not known.
    private var ink: UInt32?
    private var paper: UInt32?

    /// Begins a frame; without an origin the picture is written as lines of text.
    init(_ output: UnsafeMutableRawBufferPointer, _ origin: Origin?) {
        self.output = output
        self.origin = origin
        append("\u{1B}[?2026h")
    }

    /// Empties the screen, where the picture has a place on it.
    mutating func clear() {
        if origin != nil { append("\u{1B}[0m\u{1B}[2J") }
    }

    /// The whole frame, to be written at once.
    var finished: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: output[..<count]) }

    /// Writes the cells that differ from what stands in `cells`, and ends the frame.
    mutating func write(
        _ pixels: UnsafeRawBufferPointer, size: PixelSize,
        over cells: UnsafeMutableBufferPointer<UInt64>
    ) {
        let words = pixels.assumingMemoryBound(to: UInt32.self)
        for line in 0..<(size.height + 1) / 2 {
            let top = line * 2 * size.width
            let bottom = line * 2 + 1 < size.height ? top + size.width : nil
            var cursor: Int?
            for column in 0..<size.width {
                let upper = Self.visible(words[top + column])
                let lower = bottom.map { Self.visible(words[$0 + column]) } ?? 0
                let cell = UInt64(upper) << 32 | UInt64(lower)
                let place = line * size.width + column
                guard cells[place] != cell else { continue }
                cells[place] = cell
                move(to: column, from: cursor, line)
                write(upper, over: lower)
                cursor = column + 1
            }
            if origin == nil {
                // The colour of the background would run on to the end of the line.
                append("\u{1B}[0m\n")
                (ink, paper) = (nil, nil)
            }
        }
        append("\u{1B}[0m\u{1B}[?2026l")
    }

    // Little-endian RGBA bytes: the alpha is on top.
    private static func visible(_ pixel: UInt32) -> UInt32 {
        pixel >> 24 < 128 ? 0 : pixel | 0xFF00_0000
    }

    private mutating func move(to column: Int, from cursor: Int?, _ line: Int) {
        guard let origin, cursor != column else { return }
        append("\u{1B}[")
        if let cursor {
            append(number: column - cursor)
            append("C")
        } else {
            append(number: origin.line + line)
            append(";")
            append(number: origin.column + column)
            append("H")
        }
    }

    private mutating func write(_ upper: UInt32, over lower: UInt32) {
        if upper == lower {
            set(paper: lower)
            append(" ")
        } else if upper == 0 {
            set(ink: lower)
            set(paper: 0)
            append("▄")
        } else {
            set(ink: upper)
            set(paper: lower)
            append("▀")
        }
    }

    private mutating func set(ink colour: UInt32) {
        guard ink != colour else { return }
        ink = colour
        append("\u{1B}[38;2;")
        append(colour: colour)
    }

    private mutating func set(paper colour: UInt32) {
        guard paper != colour else { return }
        paper = colour
        guard colour != 0 else { return append("\u{1B}[49m") }
        append("\u{1B}[48;2;")
        append(colour: colour)
    }

    private mutating func append(colour: UInt32) {
        append(number: Int(colour & 0xFF))
        append(";")
        append(number: Int(colour >> 8 & 0xFF))
        append(";")
        append(number: Int(colour >> 16 & 0xFF))
        append("m")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes in
            for byte in bytes { append(byte) }
        }
    }

    private mutating func append(number: Int) {
        if number >= 10 {
            if number >= 100 {
                if number >= 1000 { append(UInt8(48 + number / 1000 % 10)) }
                append(UInt8(48 + number / 100 % 10))
            }
            append(UInt8(48 + number / 10 % 10))
        }
        append(UInt8(48 + number % 10))
    }

    private mutating func append(_ byte: UInt8) {
        output[count] = byte
        count += 1
    }
}
