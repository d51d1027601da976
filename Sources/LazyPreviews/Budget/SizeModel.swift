internal import Glibc

/// The bytes of an animation at a level of quality, rate and size, fitted on samples; pure.
struct SizeModel: Hashable, Sendable {
    /// How much quality, rate and size are reduced.
    struct Level: Hashable, Sendable {
        /// Quality: 0 as asked for, 1 at its floor.
        var coarseness = 0.0
        /// The share of frames that is left.
        var rate = 1.0
        /// The share of width and height that is left.
        var scale = 1.0
    }

    /// How far rate and scale may go.
    struct Floors: Hashable, Sendable {
        var coarseness = 1.0
        var rate: Double
        var scale: Double
    }

    /// Bytes of a sample: of a frame on its own, and of one that follows another.
    struct Sample: Hashable, Sendable {
        var first: Double
        var following: Double
    }

    /// The sample at the quality asked for.
    var fine: Sample
    /// The sample at the lowest quality.
    var coarse: Sample
    /// Frames at the full rate.
    var frames: Int
    /// Frames that have nothing in common with those before, the first included.
    var sections: Int
    /// The exponent of the sides that bytes grow with; less than that of pixels.
    var sides = 1.6
    /// The size of whole encodings relative to their estimates.
    var correction = 1.0

    /// Twice the distance in time is about 1.4 times the difference.
    private static let distance = 0.5

    /// The expected bytes.
    func bytes(_ level: Level) -> Double {
        let first = Self.between(fine.first, coarse.first, level.coarseness)
        let following = Self.between(fine.following, coarse.following, level.coarseness)
        let count = max(1, Double(frames) * level.rate)
        let alone = min(Double(sections), count)
        let apart = Self.power(1 / level.rate, Self.distance)
        // A frame far from the one before costs at most a frame on its own.
        let step = min(first, following * apart)
        return correction * (first * alone + step * (count - alone))
            * Self.power(level.scale, sides)
    }

    /// The level that reduces least and stays within a number of bytes; nil below all floors.
    ///
    /// At each stage quality is reduced first, down to its floor, then size, then rate; the next stage
    /// has lower floors.
    func level(for bytes: Double, _ stages: [Floors]) -> Level? {
        var level = Level()
        if self.bytes(level) <= bytes { return level }
        let knobs: [(WritableKeyPath<Level, Double>, KeyPath<Floors, Double>)] = [
            (\.coarseness, \.coarseness), (\.scale, \.scale), (\.rate, \.rate),
        ]
        for (knob, end) in stages.flatMap({ floors in
            knobs.map { ($0.0, floors[keyPath: $0.1]) }
        }) {
            var lowest = level
            lowest[keyPath: knob] = end
            if self.bytes(lowest) > bytes {
                // The floor is not enough: go there, and reduce the next.
                if self.bytes(lowest) <= self.bytes(level) { level = lowest }
                continue
            }
            return halved(level, knob, to: end, bytes)
        }
        return nil
    }

    /// Learns how bytes shrink with the sides from a sample of scaled pictures.
    ///
    /// The sample was encoded at the lowest quality.
    mutating func learn(_ sample: Sample, scale: Double) {
        let level = Level(coarseness: 1)
        var other = self
        other.coarse = sample
        let ratio = other.bytes(level) / max(1, bytes(level))
        guard ratio > 0, scale < 1 else { return }
        sides = min(2, max(0.5, Glibc.log(ratio) / Glibc.log(scale)))
    }

    /// The scale that gives a number of bytes, interpolated between two known results.
    static func scale(
        at bytes: Double, _ small: (scale: Double, bytes: Double),
        _ large: (scale: Double, bytes: Double)
    ) -> Double {
        guard small.bytes > 0, small.bytes < large.bytes else { return small.scale }
        let share = Glibc.log(bytes / small.bytes) / Glibc.log(large.bytes / small.bytes)
        return small.scale * power(large.scale / small.scale, min(1, max(0, share)))
    }

    /// The scale that gives a number of bytes, extrapolated from a smaller known result.
    static func scale(at bytes: Double, _ scale: Double, _ known: Double) -> Double {
        known > 0 ? scale * power(bytes / known, 1 / 1.6) : scale
    }

    /// Learns the result at a level; later estimates agree with it.
    mutating func correct(_ level: Level, byteCount: Double) {
        let estimate = bytes(level)
        if estimate > 0 { correction *= max(1, byteCount) / estimate }
    }

    private func halved(
        _ level: Level, _ knob: WritableKeyPath<Level, Double>, to end: Double, _ bytes: Double
    ) -> Level {
        var (good, bad) = (end, level[keyPath: knob])
        var level = level
        for _ in 0..<30 {
            level[keyPath: knob] = (good + bad) / 2
            if self.bytes(level) <= bytes {
                good = level[keyPath: knob]
            } else {
                bad = level[keyPath: knob]
            }
        }
        level[keyPath: knob] = good
        return level
    }

    /// Interpolates between two sizes geometrically.
    private static func between(_ fine: Double, _ coarse: Double, _ share: Double) -> Double {
        guard share > 0 else { return fine }
        return max(1, fine) * power(max(1, coarse) / max(1, fine), share)
    }

    private static func power(_ base: Double, _ exponent: Double) -> Double {
        base == 1 || exponent == 0 ? 1 : Glibc.pow(base, exponent)
    }
}
