internal import LazyMedia

/// How long pictures are shown that become frames of an animation.
struct PictureTimes: Sendable {
    /// A time for each picture in order, which replaces its own; the last one is for all that follow.
    var delays: [MediaTime] = []
    /// The time of pictures that have none of their own.
    var usual = MediaTime(ticks: 1, base: Rational(1, 10))
    /// Whether a folder is read as one animation.
    var joinsFolders = false

    init() {}

    /// The time of a picture by its place, from 0.
    func duration(at place: Int, own: MediaTime?) -> MediaTime {
        guard let last = delays.last else { return own ?? usual }
        return place < delays.count ? delays[place] : last
    }

    /// The options in one word, or nil where they are the usual ones.
    var key: String? {
        let plain = PictureTimes()
        guard !delays.isEmpty || usual != plain.usual else { return nil }
        return "delays="
            + (delays + [usual]).map { "\($0.duration.nanoseconds)" }
            .joined(separator: "+")
    }
}
