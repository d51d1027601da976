internal import LazyBase
internal import LazyMedia

extension MediaWarning: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(code.rawValue)
        writer.put(message)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(Code(rawValue: try reader.field()), try reader.field())
    }
}

extension MediaError: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(code.rawValue)
        writer.put(message)
        writer.put(excess?.limit)
        writer.put(excess?.allowed ?? 0)
        writer.put(excess?.actual ?? 0)
        writer.put((underlying as? SystemError).map { Int($0.code) })
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        let code: String = try reader.field()
        let message: String = try reader.field()
        let limit: String? = try reader.field()
        let (allowed, actual) = (try reader.number(Int64.self), try reader.number(Int64.self))
        let system: Int? = try reader.field()
        self.init(
            Code(rawValue: code), message,
            excess: limit.map { Excess(limit: $0, allowed: allowed, actual: actual) },
            underlying: system.map { SystemError(code: Int32(clamping: $0)) })
    }
}

extension StreamInfo: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(index)
        writer.put(kind.rawValue)
        writer.put(codec)
        writer.put(codedSize)
        writer.put(isChosen)
        writer.put(language)
        writer.put(title)
        for flag in [isDefault, isForced, isText] { writer.put(flag) }
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        let index: Int = try reader.field()
        guard let kind = Kind(rawValue: try reader.field()) else {
            throw GrammarError("A message has a stream of an unknown kind.")
        }
        self.init(
            index: index, kind: kind, codec: try reader.field(), codedSize: try reader.field(),
            isChosen: try reader.field())
        (language, title) = (try reader.field(), try reader.field())
        (isDefault, isForced) = (try reader.field(), try reader.field())
        isText = try reader.field()
    }
}

extension MotionFilm: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(kind.rawValue)
        writer.put(range.lowerBound)
        writer.put(range.upperBound)
        writer.put(type)
        writer.put(duration)
        writer.put(stillTime)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        guard let kind = Kind(rawValue: try reader.field()) else {
            throw GrammarError("A message has a film of an unknown kind.")
        }
        let (lower, upper): (Int, Int) = (try reader.field(), try reader.field())
        guard 0 <= lower, lower <= upper else {
            throw GrammarError("A message has a range that is none.")
        }
        self.init(
            kind: kind, range: lower..<upper, type: try reader.field(),
            duration: try reader.field(), stillTime: try reader.field())
    }
}

extension MediaType: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(name)
        writer.put(title)
        writer.put(mimeTypes)
        writer.put(fileExtensions)
        writer.put(family.rawValue)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        let (name, title): (String, String) = (try reader.field(), try reader.field())
        let mimeTypes: [String] = try reader.field()
        let fileExtensions: [String] = try reader.field()
        guard let first = mimeTypes.first, let family = Family(rawValue: try reader.field()) else {
            throw GrammarError("A message has a type that is none.")
        }
        self.init(
            name: name, title: title, mimeType: first,
            otherMIMETypes: Array(mimeTypes.dropFirst()), family: family,
            fileExtensions: fileExtensions)
    }
}

extension MediaInfo: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(type)
        writer.put(codec)
        writer.put(size)
        writer.put(frameCount)
        writer.put(duration)
        writer.put(loop)
        writer.put(hasAlpha)
        writer.put(rotation)
        writer.put(isMirrored)
        writer.put(pixelAspect)
        writer.put(isTruncated)
        writer.put(warnings)
        writer.put(streams)
        writer.put(color)
        writer.put(bitDepth)
        writer.put(pixelFormat)
        writer.put(fieldOrder.rawValue)
        writer.put(start)
        writer.put(bitRate)
        writer.put(estimatedFrameCount)
        writer.put(hdrFormat)
        writer.put(motion)
        writer.put(motionWarning)
        writer.put(chapters)
        for text in [
            tags.title, tags.artist, tags.album, tags.date, tags.copyright, tags.comment,
            tags.location, tags.device,
        ] {
            writer.put(text)
        }
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(
            type: try reader.field(), codec: try reader.field(), size: try reader.field(),
            frameCount: try reader.field(), duration: try reader.field(), loop: try reader.field(),
            hasAlpha: try reader.field(), rotation: try reader.field(),
            isMirrored: try reader.field(), pixelAspect: try reader.field(),
            isTruncated: try reader.field(), warnings: try reader.field(),
            streams: try reader.field())
        color = try reader.field()
        bitDepth = try reader.field()
        pixelFormat = try reader.field()
        guard let order = FieldOrder(rawValue: try reader.field()),
            [0, 90, 180, 270].contains(rotation), frameCount ?? 0 >= 0, duration ?? .zero >= .zero
        else { throw GrammarError("A message has a description that contradicts itself.") }
        fieldOrder = order
        start = try reader.field()
        guard start >= .zero else { throw GrammarError("A film begins before its start.") }
        bitRate = try reader.field()
        estimatedFrameCount = try reader.field()
        guard estimatedFrameCount ?? 0 >= 0 else {
            throw GrammarError("A message has a count that is none.")
        }
        hdrFormat = try reader.field()
        motion = try reader.field()
        motionWarning = try reader.field()
        chapters = try reader.field()
        guard chapters.count <= MediaInfo.maxChapters else {
            throw GrammarError("A message has too many chapters.")
        }
        tags = MediaTags(
            title: try reader.field(), artist: try reader.field(), album: try reader.field())
        tags.date = try reader.field()
        tags.copyright = try reader.field()
        tags.comment = try reader.field()
        tags.location = try reader.field()
        tags.device = try reader.field()
    }
}

extension MediaChapter: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(start)
        writer.put(end)
        writer.put(title)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(
            start: try reader.field(), end: try reader.field(), title: try reader.field())
    }
}

extension SoundFormat: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(codec.rawValue)
        writer.put(bytes: header)
        writer.put(sampleRate)
        writer.put(channels)
        writer.put(language)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        guard let codec = Codec(rawValue: try reader.field()) else {
            throw GrammarError("A message has sound of an unknown codec.")
        }
        self.init(
            codec: codec, header: try reader.list(atMost: 1 << 20), sampleRate: try reader.field(),
            channels: try reader.field())
        language = try reader.field()
        guard (1000...768_000).contains(sampleRate), (1...64).contains(channels) else {
            throw GrammarError("A message has sound that contradicts itself.")
        }
    }
}

extension SoundPacket: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(bytes: bytes)
        writer.put(start)
        writer.put(length)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(
            bytes: try reader.list(atMost: Int(UInt32.max)), start: try reader.number(),
            length: try reader.number())
        guard (0...1 << 40).contains(length), start.magnitude <= 1 << 60 else {
            throw GrammarError("A message has sound of an impossible time.")
        }
    }
}
