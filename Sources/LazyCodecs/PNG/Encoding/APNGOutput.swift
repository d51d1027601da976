internal import CKernels
internal import LazyMedia

/// The chunks of one animated PNG (PNG specification, third edition, 11.3.6).
///
/// Frames wait in a few megabytes of memory or an unnamed temporary file until their number is
/// known.
final class APNGOutput {
    private let size: PixelSize
    private var file = PNGFileBytes()
    private var spool = Spool()
    private(set) var frameCount = 0
    private var sequence: UInt32 = 0
    /// The number of bytes of the first control chunk, which a still omits.
    private var firstControl = 0
    /// Whether a pixel is transparent: only then is a transparent color needed.
    private var hasClear = false

    init(_ size: PixelSize) { self.size = size }

    /// Writes a compressed frame.
    func put(_ job: APNGJob) throws(MediaError) {
        file.removeAll()
        try file.append("fcTL", control(job))
        if frameCount == 0 { firstControl = file.bytes.count }
        sequence += 1
        try file.append(
            compressed: job.bytes, as: frameCount == 0 ? .still : .frame(sequence: sequence))
        if frameCount > 0 { sequence += 1 }
        try file.bytes.withBytes { (bytes) throws(MediaError) in try spool.append(bytes) }
        frameCount += 1
        hasClear = hasClear || job.hasClear
    }

    /// `fcTL`: where a frame lies, how long it is shown, and how it is drawn.
    private func control(_ job: APNGJob) -> [UInt8] {
        let rect = job.changes
        let numbers = [rect.width, rect.height, rect.x, rect.y].map { UInt32($0) }
        let delay = [job.delay.numerator, job.delay.denominator]
        return ([sequence] + numbers).flatMap(\.bigEndianBytes) + delay.flatMap(\.bigEndianBytes)
            + [job.disposal.apngNumber, job.isBlended ? 1 : 0]
    }

    /// Writes the whole file: header, frames and end.
    func finish(
        _ mode: APNGMode, _ loop: LoopCount, _ write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        try file.begin(size: size, depth: UInt8(mode.depth), color: mode.color)
        if frameCount > 1 {
            let plays =
                loop.plays.map { UInt32(clamping: max(1, min($0, APNGRewriter.mostPlays))) } ?? 0
            try file.appendAnimation(frames: UInt32(clamping: frameCount), plays: plays)
        }
        if !mode.palette.isEmpty {
            let isOpaque = !hasClear && mode.palette.allSatisfy { $0 == 0 || $0 >> 24 == 255 }
            try file.append(palette: mode.palette, isOpaque: isOpaque)
        }
        if hasClear, !mode.transparentSample.isEmpty {
            try file.append(transparent: mode.transparentSample)
        }
        try write(file.bytes.withBytes { (bytes) throws(MediaError) in Array(bytes) })
        var skipped = frameCount > 1 ? 0 : firstControl
        try spool.readAll { (piece) throws(MediaError) in
            let rest = piece.dropFirst(skipped)
            skipped = max(0, skipped - piece.count)
            try write(Array(rest))
        }
        file.removeAll()
        try file.end()
        try write(file.bytes.withBytes { (bytes) throws(MediaError) in Array(bytes) })
    }
}
