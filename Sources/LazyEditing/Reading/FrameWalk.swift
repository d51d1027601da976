internal import LazyMedia

/// Reads frames by number, forwards and backwards, without a seek for each.
///
/// Decoders go forwards. A backward run is decoded forwards, one group of pictures at a time, and
/// buffered: some frames in memory, the others uncompressed in a temporary file.
final class FrameWalk {
    /// Bytes of frames that are buffered in memory.
    static let memory = 32 << 20

    private let keyframes: [Bool]
    private let make: () throws(MediaError) -> any FrameReader
    private var reader: (any FrameReader)?
    /// The frame returned last.
    private var last: Frame?
    private var kept = KeptFrames()
    /// The last frame that was announced to the reader.
    private var announced = -1

    init(keyframes: [Bool], _ make: @escaping () throws(MediaError) -> any FrameReader) {
        self.keyframes = keyframes
        self.make = make
    }

    /// Damage and oddities met so far.
    var warnings: [MediaWarning] { reader?.warnings ?? [] }

    /// A frame by its number, or nil if the source ends before it.
    ///
    /// `ahead` are the numbers that will be requested, this one first.
    func frame(
        _ number: Int, ahead: some Sequence<Int>
    ) throws(MediaError) -> Frame? {
        if let last, last.index == number { return last }
        let ahead = ahead.prefix(Self.maxSteps)
        if let frame = try kept.take(number) { return hand(frame) }
        kept = KeptFrames()
        if let last, number < last.index {
            let group = backwards(from: number, ahead, byteCount: last.byteCount)
            if group.count > 1 { return hand(try keep(group, byteCount: last.byteCount)) }
        }
        if number > announced || number < last?.index ?? 0 { try announce(ahead) }
        return hand(try read(number))
    }

    /// Reads over a frame, whose picture need not be made; false if the source ends before it.
    func skip(_ number: Int, ahead: some Sequence<Int>) throws(MediaError) -> Bool {
        // A backward run is decoded as a whole.
        guard number > last?.index ?? -1 else { return try frame(number, ahead: ahead) != nil }
        kept = KeptFrames()
        if number > announced { try announce(ahead.prefix(Self.maxSteps)) }
        let reader = try open()
        try reader.seek(toIndex: number)
        return try reader.nextFrame { _ in false } != nil
    }

    /// The most numbers that are looked at ahead; they repeat while a frame is shown, for as long as a file says.
    private static let maxSteps = 10_000
    /// The most frames that are announced at once.
    private static let maxAnnounced = 1000

    /// Announces the next frames as far as they go forwards.
    private func announce(_ ahead: some Sequence<Int>) throws(MediaError) {
        var run: [Int] = []
        for next in ahead where next != run.last {
            guard run.count < Self.maxAnnounced, next > run.last ?? -1 else { break }
            run.append(next)
        }
        guard let first = run.first, let last = run.last else { return }
        announced = last
        if last - first >= run.count { try open().willRead(run) }
    }

    private func hand(_ frame: Frame?) -> Frame? {
        if let frame { last = frame }
        return frame
    }

    private func open() throws(MediaError) -> any FrameReader {
        if let reader { return reader }
        let reader = try make()
        self.reader = reader
        return reader
    }

    private func read(_ number: Int) throws(MediaError) -> Frame? {
        let reader = try open()
        try reader.seek(toIndex: number)
        return try reader.nextFrame()
    }

    /// The numbers of a backward run down to a keyframe, in descending order.
    ///
    /// As many groups of pictures as fit into memory, and at least one.
    private func backwards(
        from number: Int, _ ahead: some Sequence<Int>, byteCount: Int
    ) -> [Int] {
        let most = max(1, Self.memory / max(1, byteCount))
        var wanted: [Int] = []
        var whole = 0
        for next in ahead {
            if let lowest = wanted.last {
                if next == lowest { continue }
                guard next < lowest else { break }
                if hasKeyframe(above: next, upTo: lowest) {
                    whole = wanted.count
                    if whole >= most { break }
                }
            }
            wanted.append(next)
        }
        // Groups that do not fit are left for later, except for the first.
        return wanted.count > most && whole > 0 ? Array(wanted.prefix(whole)) : wanted
    }

    private func hasKeyframe(above low: Int, upTo high: Int) -> Bool {
        keyframes[(low + 1)...high].contains(true)
    }

    /// Decodes a group in ascending order and returns its last frame.
    private func keep(_ group: [Int], byteCount: Int) throws(MediaError) -> Frame? {
        let inMemory = max(1, Self.memory / max(1, byteCount))
        try announce(group.reversed())
        for (number, place) in zip(group.reversed(), (0..<group.count).reversed()) {
            guard let frame = try read(number) else { break }
            guard place > 0 else { return frame }
            try kept.put(frame, inMemory: place < inMemory)
        }
        return nil
    }
}

extension Frame {
    /// The bytes of its pixels and planes.
    fileprivate var byteCount: Int { bitmap.byteCount + (planes?.layout.byteCount ?? 0) }
}
