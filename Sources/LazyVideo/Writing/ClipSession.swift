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
    private var spool = Spool(maxInMemory: 1 << 20)

    /// Opens an encoder for frames like the first one.
    init(
        _ file: ClipFile, _ choice: EncoderChoice, first: Frame, after lead: Duration,
        _ words: ClipWords, _ options: EncodingOptions
    ) throws(MediaError) {
        self.file = file
        size = first.bitmap.size
        filler = try PictureFiller(first, choice, background: options.background ?? .white)
        table = ClipTable(
            codec: choice.codec, size: size.even, colors: filler.colors,
            hasAlpha: choice.format == AV_PIX_FMT_YUVA420P)
        table.clock = FrameClock(after: lead)
        table.words = words
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

    /// Drains the encoder, reads the sound that belongs to the frames, and writes the file.
    func finish(
        _ sounds: [SoundPart], _ cancellation: CancellationFlag,
        _ write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
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
        let copied = try sounds.map { sound throws(MediaError) in
            try CopiedSound(sound, over: table.clock.duration, cancellation)
        }.filter { !$0.table.sizes.isEmpty }
        switch file {
        case .mp4: try writeMovie(copied, write)
        case .webm: try writeBlocks(copied, write)
        }
    }

    private func writeMovie(
        _ sounds: [CopiedSound], _ write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        let writer = MovieWriter(
            table,
            try sounds.map { sound throws(MediaError) in
                MovieSound(
                    table: sound.table, entry: try sound.table.format.sampleEntry(sound.first))
            })
        try write(writer.head())
        if sounds.isEmpty { return try spool.readAll(write) }
        var read = Array(repeating: 0, count: sounds.count + 1)
        for chunk in writer.plan.chunks {
            let range = read[chunk.track]..<(read[chunk.track] + chunk.byteCount)
            if chunk.track > 0 {
                try sounds[chunk.track - 1].spool.read(range, write)
            } else {
                try spool.read(range, write)
            }
            read[chunk.track] = range.upperBound
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
        try sample.withBytes { (bytes) throws(MediaError) in try spool.append(bytes) }
        let alpha = table.hasAlpha ? packet.alphaBytes : .init(start: nil, count: 0)
        if !alpha.isEmpty { try spool.append(UnsafeRawBufferPointer(alpha)) }
        table.samples.append(
            ClipTable.Sample(
                frame: frame, size: sample.count, alphaSize: alpha.count, isKey: packet.isKey))
    }

    /// Writes the blocks' headers before their data, in pieces of some hundred kilobytes.
    private func writeBlocks(
        _ sounds: [CopiedSound], _ write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        let container = MatroskaWriter(table, sounds.map(\.table))
        var piece = container.head()
        func take(_ part: [UInt8]) { piece += part }
        for (number, block) in container.blocks.enumerated() {
            piece += container.prefix(of: number)
            let end = block.offset + block.size
            if block.track > 0 {
                try sounds[block.track - 1].spool.read(block.offset..<end, take)
            } else {
                try spool.read(block.offset..<end, take)
                piece += container.middle(of: block.number)
                let alpha = table.samples[block.number].alphaSize
                try spool.read(end..<(end + alpha), take)
                piece += container.suffix(of: block.number)
            }
            if piece.count >= 1 << 18 {
                try write(piece)
                piece.removeAll(keepingCapacity: true)
            }
        }
        try write(piece)
    }
}
