internal import FoundationEssentials
internal import LazyBase

/// A manifest of MPEG-DASH (ISO/IEC 23009-1): its representations with pictures.
///
/// Of all of them the sizes are read, and the segments of the one that was chosen are made when they are asked for: a
/// manifest of a few kilobytes may have a thousand representations of a hundred thousand segments.
struct DASHManifest {
    /// One variant for each representation of the first period.
    let variants: [StreamVariant]

    private let level: DASHLevel
    private let periods: [XMLElement]
    private let isLive: Bool
    private let clock: DASHClock
    private let total: Duration?

    /// Parses a manifest; `now` is the time by which the newest segment of a live stream is found.
    init(
        _ bytes: [UInt8], _ base: StreamBase, now: Date, _ budget: StreamBudget
    ) throws(StreamError) {
        try budget.spend(bytes: bytes.count)
        guard let root = try XMLElement(document: bytes, budget), root.name == "MPD" else {
            throw .malformed("The DASH manifest is not well formed.")
        }
        level = try DASHLevel(root, base)
        isLive = root["type"] == "dynamic"
        clock = DASHClock(root, now: now)
        var total = root["mediaPresentationDuration"].flatMap(DASHTime.duration)
        let periods = root.all("Period")
        guard let first = isLive ? periods.last : periods.first else {
            throw .malformed("The DASH manifest has no period.")
        }
        if periods.count == 1, let own = periods[0]["duration"].flatMap(DASHTime.duration) {
            total = own
        }
        self.total = periods.count == 1 ? total : nil
        // What a live stream shows now is in its last period.
        self.periods = isLive ? [first] : periods
        variants = try DASHPeriod.representations(first, most: Self.maxVariants, budget).map(
            \.variant)
        guard !variants.isEmpty else {
            throw .unsupported("The DASH manifest has no representation with pictures.")
        }
    }

    private static let maxVariants = 1000

    /// The segments of a variant, with those of the best matching one of each further period behind them; nil if a
    /// period cannot be joined to them.
    func source(
        of variant: StreamVariant, _ budget: StreamBudget
    ) throws(StreamError) -> DASHSource? {
        let size = variant.size
        var playlist = StreamPlaylist(level.base)
        for (place, element) in periods.enumerated() {
            try budget.look()
            let all = try DASHPeriod.representations(element, most: .max, budget)
            let best =
                place == 0
                ? variant
                : StreamVariant.best(of: all.lazy.map(\.variant)) { other in
                    size.map { other.width >= $0.width && other.height >= $0.height } ?? true
                }
            guard let best else { return nil }
            let period = DASHPeriod(
                element, try level.inside(element), length: length(of: element), isLive: isLive,
                clock: clock, budget)
            switch try period.add(all[best.place], to: &playlist) {
            case nil: continue
            case .index(let index, let map, let base)? where periods.count == 1:
                return .index(index, map: map, base)
            case .protected(let name)?: return .protected(name)
            case .index?, .segments?: return nil
            }
        }
        playlist.isLive = isLive
        return .segments(playlist)
    }

    private func length(of period: XMLElement) -> Duration? {
        period["duration"].flatMap(DASHTime.duration) ?? total
    }
}

/// Where the segments of a representation are.
enum DASHSource {
    case segments(StreamPlaylist)
    /// In the index of a file (`sidx`): its range, and the file with its map.
    case index(StreamResource, map: Range<Int>?, StreamBase)
    /// Nowhere: they are encrypted by a system whose keys are not loaded.
    case protected(String)
}
