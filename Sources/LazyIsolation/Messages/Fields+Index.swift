internal import LazyMedia

/// A frame's time is written as far as it differs from what the frame before it lets expect: a list
/// of a million frames takes a tenth of what they take in memory.
extension FrameIndex: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(number: UInt32(clamping: count))
        var last = TimingContext()
        for number in 0..<count { last.write(self[number], to: &writer) }
        writer.put(clock)
    }

    init(from reader: inout MessageReader) throws(GrammarError) {
        let count = Int(try reader.number(UInt32.self))
        // A frame has a byte and a duration at least.
        guard count <= reader.remaining / TimingContext.fewestBytes else {
            throw GrammarError("A message has a list that is too long.")
        }
        var timings: [FrameTiming] = []
        timings.reserveCapacity(count)
        var last = TimingContext()
        for number in 0..<count { timings.append(try last.read(number, from: &reader)) }
        self.init(timings)
        clock = try reader.field()
    }
}

/// What is known of a frame's time before it is read.
private struct TimingContext {
    private var end = MediaTime.zero
    private var base = MediaTime.zero.base

    /// How a frame is written.
    private struct Form: OptionSet {
        let rawValue: UInt8

        static let isKeyframe = Form(rawValue: 1)
        /// It begins where the frame before it ends.
        static let follows = Form(rawValue: 2)
        /// Its duration has the base of the one before it.
        static let hasSameBase = Form(rawValue: 4)
        /// The file says another duration.
        static let hasRaw = Form(rawValue: 8)
        static let all: Form = [.isKeyframe, .follows, .hasSameBase, .hasRaw]
    }

    static let fewestBytes = 1 + 8

    mutating func write(_ timing: FrameTiming, to writer: inout MessageWriter) {
        var form: Form = timing.isKeyframe ? .isKeyframe : []
        if timing.presentation.isWritten(as: end) { form.insert(.follows) }
        if timing.duration.base == base { form.insert(.hasSameBase) }
        if !timing.rawDuration.isWritten(as: timing.duration) { form.insert(.hasRaw) }
        writer.put(form.rawValue)
        writer.put(timing.duration.ticks)
        if !form.contains(.hasSameBase) { writer.put(timing.duration.base) }
        if !form.contains(.follows) { writer.put(timing.presentation) }
        if form.contains(.hasRaw) { writer.put(timing.rawDuration) }
        expect(after: timing)
    }

    mutating func read(
        _ index: Int, from reader: inout MessageReader
    ) throws(GrammarError) -> FrameTiming {
        let form = Form(rawValue: try reader.field())
        guard form.isSubset(of: .all) else {
            throw GrammarError("A message has a frame of an unknown form.")
        }
        let ticks: Int64 = try reader.field()
        let base = form.contains(.hasSameBase) ? base : try reader.field()
        let presentation = form.contains(.follows) ? end : try reader.field()
        let duration = MediaTime(ticks: ticks, base: base)
        let timing = FrameTiming(
            index: index, presentation: presentation, duration: duration,
            rawDuration: form.contains(.hasRaw) ? try reader.field() as MediaTime : nil,
            isKeyframe: form.contains(.isKeyframe))
        expect(after: timing)
        return timing
    }

    private mutating func expect(after timing: FrameTiming) {
        end = timing.end
        base = timing.duration.base
    }
}

extension MediaTime {
    /// Whether it has the same ticks in the same base, not only an equal value.
    fileprivate func isWritten(as other: MediaTime) -> Bool {
        ticks == other.ticks && base == other.base
    }
}
