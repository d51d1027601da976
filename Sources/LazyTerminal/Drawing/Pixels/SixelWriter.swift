internal import LazyMedia

/// Writes the bands of sixel pictures of one width.
///
/// The columns of a band are sorted by color in one pass over its pixels, as linked lists, so that the
/// time does not depend on the number of colors.
struct SixelWriter {
    let width: Int
    /// The columns of all colors: which rows of it, and where the next of that color is.
    private var columns: [UInt16]
    private var rows: [UInt8]
    private var next: [Int32]
    private var first = [Int32](repeating: -1, count: 256)
    private var last = [Int32](repeating: -1, count: 256)
    /// The colors of a band, in the order of their first columns.
    private var used: [UInt8] = []

    init(width: Int) {
        self.width = width
        columns = [UInt16](repeating: 0, count: width * 6)
        rows = [UInt8](repeating: 0, count: width * 6)
        next = [Int32](repeating: -1, count: width * 6)
    }

    /// Writes the colors and the bands of the pixels that a picture draws.
    mutating func write(_ picture: SixelPicture, to output: EscapeBuffer) {
        guard let size = picture.size else { return }
        writeColors(picture, size.pixelCount, output)
        var skipped = 0
        for band in 0..<(size.height + 5) / 6 {
            let height = min(6, size.height - band * 6)
            sort(picture.marks + band * 6 * width, height)
            if !used.isEmpty {
                for _ in 0..<skipped { output.append("-") }
                skipped = 0
                writeBand(output)
                output.flushIfFull()
            }
            skipped += 1
        }
    }

    private func writeColors(_ picture: SixelPicture, _ count: Int, _ output: EscapeBuffer) {
        var isUsed = [Bool](repeating: false, count: 256)
        isUsed.withUnsafeMutableBufferPointer { isUsed in
            for place in 0..<count where picture.marks[place] != SixelPicture.blank {
                isUsed[Int(picture.marks[place])] = true
            }
        }
        for (number, color) in picture.colors.enumerated() where isUsed[number] {
            output.append("#")
            output.append(number: number)
            output.append(";2")
            for shift: UInt32 in [0, 8, 16] {
                output.append(";")
                output.append(number: Int(SixelPalette.percent(color >> shift & 0xFF)))
            }
        }
    }

    // Makes the lists of a band.
    private mutating func sort(_ marks: UnsafeMutablePointer<UInt8>, _ height: Int) {
        used.removeAll(keepingCapacity: true)
        var count: Int32 = 0
        let width = width
        columns.withUnsafeMutableBufferPointer { columns in
            rows.withUnsafeMutableBufferPointer { rows in
                next.withUnsafeMutableBufferPointer { next in
                    last.withUnsafeMutableBufferPointer { last in
                        for x in 0..<width {
                            for row in 0..<height {
                                let mark = marks[row * width + x]
                                if mark == SixelPicture.blank { continue }
                                let bit = UInt8(1) << UInt8(row)
                                let color = Int(mark)
                                let before = last[color]
                                if before >= 0, columns[Int(before)] == UInt16(x) {
                                    rows[Int(before)] |= bit
                                    continue
                                }
                                let place = Int(count)
                                columns[place] = UInt16(x)
                                rows[place] = bit
                                next[place] = -1
                                if before >= 0 {
                                    next[Int(before)] = count
                                } else {
                                    first[color] = count
                                    used.append(mark)
                                }
                                last[color] = count
                                count += 1
                            }
                        }
                    }
                }
            }
        }
    }

    // A color that begins behind the end of the one before needs no return to the first column.
    private mutating func writeBand(_ output: EscapeBuffer) {
        var isFirst = true
        while !used.isEmpty {
            if !isFirst { output.append("$") }
            isFirst = false
            var pen = 0
            var left: [UInt8] = []
            for mark in used {
                let color = Int(mark)
                guard Int(columns[Int(first[color])]) >= pen else {
                    left.append(mark)
                    continue
                }
                pen = write(color, from: pen, output)
                last[color] = -1
            }
            used = left
        }
    }

    // Writes the columns of one color and returns the column behind them.
    private func write(_ color: Int, from start: Int, _ output: EscapeBuffer) -> Int {
        output.append("#")
        output.append(number: color)
        let room = output.reserve(width * 6 + 16)
        var pen = start
        var written = 0
        var place = Int(first[color])
        while place >= 0 {
            let column = Int(columns[place])
            written += Self.write(column - pen, of: 0, to: room + written)
            let bits = rows[place]
            var run = 1
            var following = Int(next[place])
            while following >= 0, rows[following] == bits, Int(columns[following]) == column + run {
                run += 1
                following = Int(next[following])
            }
            written += Self.write(run, of: bits, to: room + written)
            pen = column + run
            place = following
        }
        output.didWrite(written)
        return pen
    }

    // Writes so many equal columns and returns the number of bytes.
    @inline(__always)
    private static func write(
        _ count: Int, of bits: UInt8, to room: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let sixel = bits + 63
        if count <= 3 {
            for place in 0..<max(0, count) { room[place] = sixel }
            return max(0, count)
        }
        room[0] = UInt8(ascii: "!")
        let digits = EscapeBuffer.write(count, to: room + 1)
        room[digits + 1] = sixel
        return digits + 2
    }
}
