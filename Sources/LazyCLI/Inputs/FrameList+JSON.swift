internal import LazyBase
internal import LazyMedia

extension FrameList {
    /// Parses `frames.json` as `play --frames` writes it.
    ///
    /// A frame is shown until the next one starts, and the last one for its duration.
    init(json bytes: [UInt8], _ path: String, _ limits: DecodingLimits) throws(MediaError) {
        try Self.check(count: JSONScan.maxElements(in: bytes), limits)
        let list: JSONFrames
        do {
            list = try JSONText.decode(String(decoding: bytes, as: UTF8.self), as: JSONFrames.self)
        } catch {
            throw MediaError(
                .malformed, "\(path) is not a list of frames as 'play --frames' writes it.",
                underlying: error)
        }
        var entries: [Entry] = []
        for (number, frame) in list.frames.enumerated() {
            guard let name = frame.file else {
                throw MediaError(.malformed, "Frame \(number) of \(path) names no file.")
            }
            let next = number + 1 < list.frames.count ? list.frames[number + 1] : nil
            guard let duration = frame.duration(until: next, list.base) else {
                throw MediaError(.malformed, "Frame \(number) of \(path) has no valid time.")
            }
            entries.append(Entry(path: name, duration: duration))
        }
        self.init(entries, loop: list.loop)
    }
}

/// The members of `frames.json` that are read.
private struct JSONFrames: Decodable {
    let frames: [JSONFrame]
    let loop: LoopCount?
    /// The base of exact times.
    let base: Rational?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: JSONMember.self)
        frames = try members.decode([JSONFrame].self, forKey: "frames")
        base = try members.decodeIfPresent(String.self, forKey: "timeBase").flatMap(Self.base)
        loop = try members.decodeIfPresent(JSONLoop.self, forKey: "loop").map {
            LoopCount(raw: $0.raw, plays: $0.plays)
        }
    }

    // `1/12800`
    private static func base(_ text: String) -> Rational? {
        let parts = text.split(separator: "/").map { Int64($0) }
        guard parts.count == 2, let above = parts[0], let below = parts[1], above > 0, below > 0,
            above <= Int32.max, below <= Int32.max
        else { return nil }
        return Rational(above, below)
    }
}

private struct JSONLoop: Decodable {
    let raw: Int?
    let plays: Int?
}

private struct JSONFrame: Decodable {
    let file: String?
    private let micro: (start: Int64?, length: Int64?)
    private let ticks: (start: Int64?, length: Int64?)

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: JSONMember.self)
        file = try members.name("file")
        micro = (
            try members.decodeIfPresent(Int64.self, forKey: "ptsUs"),
            try members.decodeIfPresent(Int64.self, forKey: "durationUs")
        )
        ticks = (
            try members.decodeIfPresent(Int64.self, forKey: "pts"),
            try members.decodeIfPresent(Int64.self, forKey: "duration")
        )
    }

    /// The time until the next frame starts, or the frame's own; nil for none.
    func duration(until next: JSONFrame?, _ base: Rational?) -> MediaTime? {
        if let base, let time = Self.length(ticks, next?.ticks.start, base) { return time }
        return Self.length(micro, next?.micro.start, Rational(1, 1_000_000))
    }

    private static func length(
        _ own: (start: Int64?, length: Int64?), _ next: Int64?, _ base: Rational
    ) -> MediaTime? {
        if let start = own.start, let next {
            let (ticks, isTooFar) = next.subtractingReportingOverflow(start)
            return isTooFar || ticks < 0 ? nil : MediaTime(ticks: ticks, base: base)
        }
        guard let length = own.length, length >= 0 else { return nil }
        return MediaTime(ticks: length, base: base)
    }
}
