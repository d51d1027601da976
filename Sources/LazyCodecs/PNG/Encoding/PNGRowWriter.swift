internal import CKernels
package import LazyMedia

extension PNGEncoder {
    /// Makes a writer of a picture of 8 bits a sample; nil where several ways are tried, or gray is written as such.
    package func makeRowWriter(
        of rows: StillRows, _ cancellation: CancellationFlag
    ) throws(MediaError) -> (any RowWriting)? {
        guard level.attempts.count == 1, !rows.color.isGray else { return nil }
        writer.attempt = level.attempts[0]
        return try PNGRowWriter(self, rows, cancellation)
    }
}

/// Writes a PNG while its rows come.
///
/// The form of a file depends on all of its pixels: on their colors, their opacity, and whether they are a dither. The first
/// rows tell which form is likely. Where later rows do not fit it, what was written is read back and written anew in a
/// form that they fit: it is small where rows are alike, and otherwise in a temporary file.
private final class PNGRowWriter: RowWriting {
    private let encoder: PNGEncoder
    private let picture: StillRows
    private let cancellation: CancellationFlag
    private let samples: ColorIndex
    private var hasFewColors = true
    private var come = 0
    /// The first rows, as long as nothing is written.
    private var first = GrowingBytes()
    private var pass: PNGRowPass?

    init(
        _ encoder: PNGEncoder, _ picture: StillRows, _ cancellation: CancellationFlag
    ) throws(MediaError) {
        (self.encoder, self.picture, self.cancellation) = (encoder, picture, cancellation)
        samples = try ColorIndex()
    }

    func add(_ rows: UnsafeRawBufferPointer) throws(MediaError) {
        guard let new = picture.rows(rows) else { return }
        if hasFewColors {
            hasFewColors = samples.sample(new, before: come, of: picture.size.height)
        }
        come += new.row_count
        if let pass { return try write(new, by: pass) }
        try first.append(rows.bindMemory(to: UInt8.self))
        if first.count >= encoder.guessedBytes { try begin() }
    }

    func finish() throws(MediaError) -> SpooledBytes {
        let last = if let pass { pass } else { try begin() }
        // That there are many colors was a guess.
        guard hasFewColors, case .colors(let channels, isDither: false) = last.form else {
            return try last.finish()
        }
        return try restart(last, as: .colors(channels: channels, isDither: true)).finish()
    }

    /// Writes the first rows, in a form that they fit.
    @discardableResult private func begin() throws(MediaError) -> PNGRowPass {
        let rows = try first.withBytes { (bytes) throws(MediaError) in picture.rows(bytes) }
        guard let rows else { preconditionFailure("a picture has rows") }
        var indices = GrowingBytes()
        let form = try encoder.form(
            of: rows, isOpaque: picture.isOpaque,
            into: indices.room(for: (1 + rows.width) * rows.row_count))
        let pass = try PNGRowPass(likely(form), encoder, picture)
        self.pass = pass
        try write(rows, by: pass)
        first = GrowingBytes()
        return pass
    }

    private func write(_ rows: cscanline_rows, by pass: PNGRowPass) throws(MediaError) {
        var (rest, pass) = (rows, pass)
        if likely(pass.form) != pass.form { pass = try restart(pass, as: pass.form) }
        while true {
            let taken = try pass.add(rest)
            rest.first_row += taken
            rest.row_count -= taken
            guard let form = pass.wider else { return }
            pass = try restart(pass, as: form)
        }
    }

    /// A form in which colors are no dither where there are too many.
    private func likely(_ form: PNGForm) -> PNGForm {
        guard case .colors(let channels, isDither: true) = form else { return form }
        return .colors(channels: channels, isDither: hasFewColors)
    }

    /// Writes anew what was written.
    private func restart(
        _ old: PNGRowPass, as form: PNGForm
    ) throws(MediaError) -> PNGRowPass {
        let size = PixelSize(width: picture.size.width, height: old.taken)
        let file = try old.finish()
        let pass = try PNGRowPass(likely(form), encoder, picture)
        self.pass = pass
        let taker = RowTaker { [picture] (bytes) throws(MediaError) in
            guard let rows = picture.rows(bytes) else { return }
            let taken = try pass.add(rows)
            precondition(taken == rows.row_count, "the form is for fewer pixels than before")
        }
        let pixels = try PNGPixels(
            reading: file, size: size, cancellation: cancellation, taker)
        guard pixels.areWhole else {
            throw MediaError(.environment, "A temporary file has lost what was written.")
        }
        return pass
    }
}

extension StillRows {
    /// Rows of the picture in memory; nil for none.
    fileprivate func rows(_ bytes: UnsafeRawBufferPointer) -> cscanline_rows? {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else {
            return nil
        }
        let stride = size.width * 4
        return cscanline_rows(
            rgba: start, width: size.width, stride: stride, first_row: 0,
            row_count: bytes.count / stride)
    }
}
