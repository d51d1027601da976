internal import CFFmpeg
internal import LazyMedia

/// The encoding of one clip, from frames to a file.
///
/// Encoded frames wait in a spool until the last one is encoded, because the tables before them are
/// known only then. Only a few bytes per frame are kept in addition.
final class ClipSession {
    private let file: ClipFile
    private let size: PixelSize
    private let filler: PictureFiller
    private let encoder: FrameEncoder
    private var rule: KeyframeRule
    private var table: ClipTable
    private var spool = Spool(mostInMemory: 1 << 20)

    /// Opens an encoder for frames like the first one.
    init(
        _ file: ClipFile, _ choice: EncoderChoice, first: Frame, _ options: EncodingOptions
    ) throws(MediaError) {
        self.file = file
        size = first.bitmap.size
        filler = try PictureFiller(first, choice, background: options.background ?? .white)
        table = ClipTable(
            codec: choice.codec, size: size.even, colors: filler.colors,
            hasAlpha: choice.format == AV_PIX_FMT_YUVA420P)
        let length = max(1, first.timing.duration.microseconds)
        rule = KeyframeRule(firstLength: length)
        encoder = try FrameEncoder(
            choice,
            FrameEncoder.Setup(
                size: size.even, colors: filler.colors, keyInterval: rule.interval,
                firstLength: length))
    }

    /// Encodes one more frame.
    func add(_ frame: Frame) throws(MediaError) {
        guard frame.bitmap.size == size else {
            throw MediaError(
                .notWritable,
                "Frame \(table.clock.count) is \(frame.bitmap.size), but the clip began with"
                    + " \(size), and \(file.name) has one size for all frames.")
        }
        let number = table.clock.count
        try table.clock.add(frame.timing.duration)
        let micros = table.clock.micros
        let isKey = rule.isForced(length: micros[number + 1] - micros[number])
        try encoder.send(filler.fill(frame), at: micros[number], isKey: isKey)
        try drain()
    }

    /// Drains the encoder and writes the file.
    func finish(_ write: ([UInt8]) throws(MediaError) -> Void) throws(MediaError) {
        try encoder.send(nil)
        try drain()
        guard table.samples.count == table.clock.count else {
            throw MediaError(
                .environment,
                "\(encoder.choice.library) gave \(table.samples.count) of \(table.clock.count)"
                    + " frames.")
        }
        if table.header.isEmpty, table.codec == .h264 {
            guard let header = H264Units.header(encoder.header) else {
                throw MediaError(.environment, "libx264 gave no parameters.")
            }
            table.header = header
        }
        switch file {
        case .mp4:
            try write(MovieWriter(table).head())
            try spool.readAll(write)
        case .webm: try writeBlocks(write)
        }
    }

    private func drain() throws(MediaError) {
        while try encoder.receive(take) != nil {
            if Task.isCancelled { throw MediaError.cancelled }
        }
    }

    private func take(_ packet: Packet) throws(MediaError) {
        guard packet.size > 0, let pts = packet.pts, let frame = table.clock.number(at: pts) else {
            throw MediaError(
                .environment, "\(encoder.choice.library) gave a frame that nobody asked for.")
        }
        let sample: [UInt8]
        switch table.codec {
        case .h264: sample = H264Units.sample(packet.bytes)
        case .av1:
            sample = AV1Units.sample(packet.bytes)
            if table.header.isEmpty, let header = AV1Units.header(packet.bytes) {
                table.header = header
            }
        case .vp9: sample = Array(packet.bytes)
        }
        try append(sample)
        let alpha = table.hasAlpha ? packet.alphaBytes : .init(start: nil, count: 0)
        if !alpha.isEmpty { try spool.append(UnsafeRawBufferPointer(alpha)) }
        table.samples.append(
            ClipTable.Sample(
                frame: frame, size: sample.count, alphaSize: alpha.count, isKey: packet.isKey))
    }

    /// Rethrows the typed error, which `withUnsafeBytes` erases.
    private func append(_ sample: [UInt8]) throws(MediaError) {
        var failure: MediaError?
        sample.withUnsafeBytes { bytes in
            do throws(MediaError) { try spool.append(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Inserts the blocks' headers between the frames as they leave the spool.
    private func writeBlocks(_ write: ([UInt8]) throws(MediaError) -> Void) throws(MediaError) {
        let container = MatroskaWriter(table)
        var interleaver = BlockInterleaver(container, table)
        try write(container.head())
        try spool.readAll { (piece) throws(MediaError) in try write(interleaver.join(piece)) }
        try write(interleaver.end())
    }
}

/// Inserts the bytes between frames while the frames pass.
private struct BlockInterleaver {
    private let writer: MatroskaWriter
    private let table: ClipTable
    private var sample = 0
    private var isAlpha = false
    private var left = 0

    init(_ writer: MatroskaWriter, _ table: ClipTable) {
        self.writer = writer
        self.table = table
    }

    /// A chunk of frames with the headers before, between and after them.
    mutating func join(_ piece: [UInt8]) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(piece.count + 1024)
        var rest = piece[...]
        while !rest.isEmpty {
            if left == 0 { joined += next() }
            let part = rest.prefix(left)
            joined += part
            left -= part.count
            rest = rest.dropFirst(part.count)
        }
        return joined
    }

    /// The bytes after the last frame.
    mutating func end() -> [UInt8] { table.samples.isEmpty ? [] : writer.suffix(of: sample - 1) }

    /// The bytes before the next frame, whose length is then in `left`.
    private mutating func next() -> [UInt8] {
        if isAlpha {
            isAlpha = false
            left = table.samples[sample - 1].alphaSize
            return writer.middle(of: sample - 1)
        }
        let before = sample > 0 ? writer.suffix(of: sample - 1) : []
        left = table.samples[sample].size
        isAlpha = table.samples[sample].alphaSize > 0
        sample += 1
        return before + writer.prefix(of: sample - 1)
    }
}
