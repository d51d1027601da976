internal import LazyMedia

extension DecodingLimits: MessageField {
    func write(to writer: inout MessageWriter) {
        for limit in [pixelsPerFrame, memory, frames, totalPixels, inputBytes, tracks, fontBytes] {
            writer.put(limit)
        }
        writer.put(openTime)
        writer.put(decodeTime)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(
            pixelsPerFrame: try reader.field(), memory: try reader.field(),
            frames: try reader.field(), totalPixels: try reader.field(),
            inputBytes: try reader.field(), tracks: try reader.field(),
            fontBytes: try reader.field(), openTime: try reader.field(),
            decodeTime: try reader.field())
    }
}

extension ColorOutput: MessageField {
    func write(to writer: inout MessageWriter) {
        switch self {
        case .source: writer.put(String?.none)
        case .sRGB(let mapping): writer.put(String?.some(mapping.rawValue))
        }
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        guard let name = try reader.field(String?.self) else {
            self = .source
            return
        }
        guard let mapping = ToneMapping(rawValue: name) else {
            throw GrammarError("A message has an unknown tone mapping.")
        }
        self = .sRGB(mapping)
    }
}

extension ReaderOptions: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(size)
        writer.put(limits)
        writer.put(delayRule == .raw)
        writer.put(threads)
        writer.put(keyframesOnly)
        writer.put(isSingleFrame)
        writer.put(planes)
        writer.put(isQuick)
        writer.put(color)
        writer.put(samples == .sixteen)
        writer.put(deinterlaces)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(
            size: try reader.field(), limits: try reader.field(),
            delayRule: try reader.field() ? .raw : .browsers, threads: try reader.field(),
            keyframesOnly: try reader.field(), isSingleFrame: try reader.field(),
            planes: try reader.field())
        isQuick = try reader.field()
        color = try reader.field()
        samples = try reader.field() ? .sixteen : .eight
        deinterlaces = try reader.field()
        guard (0...1024).contains(threads) else {
            throw GrammarError("A message has an impossible number of threads.")
        }
    }
}

extension TimingChange: MessageField {
    func write(to writer: inout MessageWriter) {
        switch plays {
        case .asAuthored: writer.put(UInt8(0))
        case .forever: writer.put(UInt8(1))
        case .times(let count):
            writer.put(UInt8(2))
            writer.put(count)
        }
        switch delays {
        case nil: writer.put(UInt8(0))
        case .each(let delay):
            writer.put(UInt8(1))
            writer.put(delay)
        case .speed(let factor):
            writer.put(UInt8(2))
            writer.put(factor)
        }
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        let plays: Looping
        switch try reader.number(UInt8.self) {
        case 0: plays = .asAuthored
        case 1: plays = .forever
        case 2: plays = .times(try reader.field())
        default: throw GrammarError("A message has an unknown loop.")
        }
        switch try reader.number(UInt8.self) {
        case 0: self.init(plays: plays)
        case 1: self.init(plays: plays, delays: .each(try reader.field()))
        case 2: self.init(plays: plays, delays: .speed(try reader.field()))
        default: throw GrammarError("A message has an unknown delay.")
        }
    }
}
