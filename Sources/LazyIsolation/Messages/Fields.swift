internal import LazyMedia

extension Int64: MessageField {
    func write(to writer: inout MessageWriter) { writer.put(number: self) }
    init(from reader: inout MessageReader) throws(GrammarError) { self = try reader.number() }
}

extension Int: MessageField {
    func write(to writer: inout MessageWriter) { writer.put(number: Int64(self)) }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self = Int(try reader.number(Int64.self))
    }
}

extension UInt8: MessageField {
    func write(to writer: inout MessageWriter) { writer.put(number: self) }
    init(from reader: inout MessageReader) throws(GrammarError) { self = try reader.number() }
}

extension UInt32: MessageField {
    func write(to writer: inout MessageWriter) { writer.put(number: self) }
    init(from reader: inout MessageReader) throws(GrammarError) { self = try reader.number() }
}

extension Bool: MessageField {
    func write(to writer: inout MessageWriter) { writer.put(UInt8(self ? 1 : 0)) }
    init(from reader: inout MessageReader) throws(GrammarError) {
        switch try reader.number(UInt8.self) {
        case 0: self = false
        case 1: self = true
        default: throw GrammarError("A message has a flag that is neither set nor cleared.")
        }
    }
}

extension Double: MessageField {
    func write(to writer: inout MessageWriter) { writer.put(number: bitPattern) }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(bitPattern: try reader.number())
        guard isFinite else { throw GrammarError("A message has a number that is not finite.") }
    }
}

extension String: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(bytes: Array(utf8.prefix(Self.longest)))
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        guard let text = String(validating: try reader.list(atMost: Self.longest), as: UTF8.self)
        else { throw GrammarError("A message has text that is not UTF-8.") }
        self = text
    }

    /// Of a cut text the last character may be damaged; no sentence of ours is so long.
    private static let longest = 1 << 16
}

extension Optional: MessageField where Wrapped: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(self != nil)
        if let self { writer.put(self) }
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self = try Bool(from: &reader) ? try Wrapped(from: &reader) : nil
    }
}

extension Array: MessageField where Element: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(number: UInt32(clamping: count))
        for element in self { writer.put(element) }
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        let count = Int(try reader.number(UInt32.self))
        // An element has at least one byte.
        guard count <= reader.remaining else {
            throw GrammarError("A message has a list that is too long.")
        }
        var elements: [Element] = []
        // Growing takes three times the memory; a number alone must not reserve more than its message.
        let (size, isLarge) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        if !isLarge, size <= 2 * reader.remaining { elements.reserveCapacity(count) }
        for _ in 0..<count { elements.append(try Element(from: &reader)) }
        self = elements
    }
}

extension Duration: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(components.seconds)
        writer.put(components.attoseconds)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        let seconds = try reader.number(Int64.self)
        let attoseconds = try reader.number(Int64.self)
        guard seconds.magnitude <= 1 << 41, attoseconds.magnitude < 1_000_000_000_000_000_000 else {
            throw GrammarError("A message has a length of time that is too long.")
        }
        self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }
}

extension PixelSize: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(width)
        writer.put(height)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        guard let size = PixelSize(checking: try reader.field(), try reader.field()) else {
            throw GrammarError("A message has a size that is none.")
        }
        self = size
    }
}

extension Rational: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(numerator)
        writer.put(denominator)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        let numerator = try reader.number(Int64.self)
        let denominator = try reader.number(Int64.self)
        guard denominator > 0 else { throw GrammarError("A message has a fraction that is none.") }
        self.init(numerator, denominator)
    }
}

extension MediaTime: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(ticks)
        writer.put(base)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(ticks: try reader.number(), base: try reader.field())
    }
}

extension FrameTiming: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(index)
        writer.put(presentation)
        writer.put(duration)
        writer.put(rawDuration)
        writer.put(isKeyframe)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        let index: Int = try reader.field()
        let (presentation, duration, raw): (MediaTime, MediaTime, MediaTime) = (
            try reader.field(), try reader.field(), try reader.field()
        )
        self.init(
            index: index, presentation: presentation, duration: duration, rawDuration: raw,
            isKeyframe: try reader.field())
        guard index >= 0 else { throw GrammarError("A message has a frame without a number.") }
    }
}

extension LoopCount: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(raw)
        writer.put(plays)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(raw: try reader.field(), plays: try reader.field())
        guard plays ?? 1 >= 0 else { throw GrammarError("A message has a loop that is none.") }
    }
}
