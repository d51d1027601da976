internal import LazyMedia

/// Writes the escape sequences of one frame into a buffer that is large enough for any frame.
struct CellWriter {
    /// The cell of the upper left corner, counted from 1.
    struct Origin {
        let line: Int
        let column: Int
    }
    private let output: UnsafeMutableRawBufferPointer
    private let origin: Origin?
    private let coding: CellCoding
    private let mosaic: Mosaic?
    private let characters: [StaticString]
    private var count = 0
    // The terminal's current colors: a word of a cell, 0 for its own color, nil for unknown.
    private var ink: UInt32?
    private var paper: UInt32?

    /// Begins a frame; without an origin it is written as lines of text.
    init(_ output: UnsafeMutableRawBufferPointer, _ origin: Origin?, _ coding: CellCoding) {
        self.output = output
        self.origin = origin
        self.coding = coding
        mosaic = coding.shape.columns == 2 ? Mosaic(coding) : nil
        characters = mosaic?.characters ?? []
        if coding.isEscaped { append("\u{1B}[?2026h") }
    }

    /// Clears the screen, unless frames are inline.
    mutating func clear() {
        guard origin != nil else { return }
        reset()
        append("\u{1B}[2J")
    }

    /// The bytes of the frame.
    var finished: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: output[..<count])
    }

    /// Writes the cells that differ from `cells`, and ends the frame.
    mutating func write(
        _ pixels: UnsafeRawBufferPointer, size: PixelSize,
        over cells: UnsafeMutableBufferPointer<UInt64>
    ) {
        let words = pixels.assumingMemoryBound(to: UInt32.self)
        let columns = coding.shape.columns(of: size)
        for line in 0..<coding.shape.lines(of: size) {
            let top = line * 2 * size.width
            let bottom = line * 2 + 1 < size.height ? top + size.width : nil
            var cursor: Int?
            for column in 0..<columns {
                let cell: UInt64
                if let mosaic, let start = words.baseAddress {
                    cell = mosaic.cell(start, size, column: column, line: line)
                } else {
                    let upper = Self.visible(words[top + column])
                    let lower = bottom.map { Self.visible(words[$0 + column]) } ?? 0
                    cell = coding.cell(upper, lower, column: column, line: line)
                }
                let place = line * columns + column
                guard cells[place] != cell else { continue }
                cells[place] = cell
                move(to: column, from: cursor, line)
                write(UInt32(cell >> 32), over: UInt32(truncatingIfNeeded: cell))
                cursor = column + 1
            }
            if origin == nil {
                // The background color would extend to the end of the line.
                reset()
                append("\n")
                (ink, paper) = (nil, nil)
            }
        }
        reset()
        if coding.isEscaped { append("\u{1B}[?2026l") }
    }

    private mutating func reset() {
        if coding.isEscaped, coding.colors != .mono { append("\u{1B}[0m") }
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
        if mosaic != nil {
            let (pattern, color) = (Mosaic.pattern(upper), Mosaic.color(upper))
            if pattern != 0 { set(ink: color) }
            set(paper: Mosaic.color(lower))
            append(characters[pattern])
        } else if CellCoding.isCharacter(upper) {
            if coding.isOnColor { set(paper: lower) } else if lower != 0 { set(ink: lower) }
            append(UInt8(truncatingIfNeeded: upper))
        } else if upper == lower {
            // Without colors a cell is filled by a character.
            if coding.colors == .mono, upper != 0 { return append("█") }
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

    private mutating func set(ink color: UInt32) {
        guard ink != color, coding.colors != .mono else { return }
        ink = color
        switch coding.colors {
        case .truecolor: append("\u{1B}[38;2;")
        case .palette256: append("\u{1B}[38;5;")
        case .palette16: append("\u{1B}[")
        case .mono: return
        }
        append(color: color, plain: 30, bright: 90)
    }

    private mutating func set(paper color: UInt32) {
        guard paper != color, coding.colors != .mono else { return }
        paper = color
        guard color != 0 else { return append("\u{1B}[49m") }
        switch coding.colors {
        case .truecolor: append("\u{1B}[48;2;")
        case .palette256: append("\u{1B}[48;5;")
        case .palette16: append("\u{1B}[")
        case .mono: return
        }
        append(color: color, plain: 40, bright: 100)
    }

    private mutating func append(color: UInt32, plain: Int, bright: Int) {
        let number = Int(color & 0xFF)
        switch coding.colors {
        case .palette256: append(number: number)
        case .palette16: append(number: number < 8 ? plain + number : bright + number - 8)
        case .truecolor, .mono: return append(channelsOf: color)
        }
        append("m")
    }

    private mutating func append(channelsOf color: UInt32) {
        append(number: Int(color & 0xFF))
        append(";")
        append(number: Int(color >> 8 & 0xFF))
        append(";")
        append(number: Int(color >> 16 & 0xFF))
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
