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
        return (first * alone + step * (count - alone))
            * Self.power(level.scale, sides)
    }

    /// Whether a lower quality makes the file smaller.
    var gainsByQuality: Bool {
        bytes(Level(coarseness: 1)) < 0.95 * bytes(Level())
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

    /// Interpolates between two sizes geometrically.
    private static func between(_ fine: Double, _ coarse: Double, _ share: Double) -> Double {
        guard share > 0 else { return fine }
        return max(1, fine) * power(max(1, coarse) / max(1, fine), share)
    }

    private static func power(_ base: Double, _ exponent: Double) -> Double {
        base == 1 || exponent == 0 ? 1 : Glibc.pow(base, exponent)
    }
}
