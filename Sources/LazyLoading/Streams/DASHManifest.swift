internal import FoundationEssentials
internal import LazyBase

/// A manifest of MPEG-DASH (ISO/IEC 23009-1): its representations with pictures.
struct DASHManifest {
    /// One variant for each representation of the first period, with the segments of the same one in others.
    let variants: [StreamVariant]

    /// The size that a manifest may have.
    static let maxBytes = 16 << 20

    /// Parses a manifest; `now` is the time by which the newest segment of a live stream is found.
    init(_ bytes: [UInt8], _ base: StreamBase, now: Date) throws(StreamError) {
        guard let root = XMLElement(document: bytes), root.name == "MPD" else {
            throw .malformed("The DASH manifest is not well formed.")
        }
        let manifest = try DASHLevel(root, base)
        let isLive = root["type"] == "dynamic"
        let clock = DASHClock(root, now: now)
        var total = root["mediaPresentationDuration"].flatMap(DASHTime.duration)
        let periods = root.all("Period")
        guard !periods.isEmpty else { throw .malformed("The DASH manifest has no period.") }
        if periods.count == 1, let own = periods[0]["duration"].flatMap(DASHTime.duration) {
            total = own
        }
        // What a live stream shows now is in its last period.
        var variants: [StreamVariant] = []
        for (place, period) in (isLive ? periods.suffix(1) : periods[...]).enumerated() {
            let length =
                period["duration"].flatMap(DASHTime.duration) ?? (periods.count == 1 ? total : nil)
            let parts = try DASHPeriod(
                period, try manifest.inside(period), length: length, isLive: isLive, clock: clock
            ).variants()
            variants = place == 0 ? parts : try Self.joined(variants, parts)
        }
        guard !variants.isEmpty else {
            throw .unsupported("The DASH manifest has no representation with pictures.")
        }
        self.variants = variants
    }

    /// The variants of a period with the best matching one of the next period behind each.
    private static func joined(
        _ variants: [StreamVariant], _ next: [StreamVariant]
    ) throws(StreamError) -> [StreamVariant] {
        var joined: [StreamVariant] = []
        for variant in variants {
            guard case .segments(var playlist) = variant.source else {
                if case .protected = variant.source { joined.append(variant) }
                continue
            }
            let size = variant.size
            let best = StreamVariant.ordered(next) { other in
                size.map { other.width >= $0.width && other.height >= $0.height } ?? true
            }.first
            guard let other = best else { continue }
            switch other.source {
            case .segments(let more):
                var isFirst = true
                for segment in more.segments {
                    try playlist.append(
                        segment.resource, map: segment.map, key: segment.key,
                        duration: segment.duration, continues: !isFirst)
                    isFirst = false
                }
                var whole = variant
                whole.source = .segments(playlist)
                joined.append(whole)
            case .protected:
                var whole = variant
                whole.source = other.source
                joined.append(whole)
            case .index, .playlist: continue
            }
        }
        guard !joined.isEmpty else {
            throw .unsupported(
                "The DASH manifest has periods of several files, which are not joined.")
        }
        return joined
    }
}

/// The time at which a live manifest is read.
struct DASHClock {
    /// How long the presentation has been available; nil if the manifest does not say since when.
    let elapsed: Duration?

    init(_ root: XMLElement, now: Date) {
        guard let text = root["availabilityStartTime"], let start = DASHTime.date(text) else {
            elapsed = nil
            return
        }
        elapsed = .milliseconds(Int64(max(0, min(1e15, now.timeIntervalSince(start) * 1000))))
    }
}

/// Durations and dates as XML Schema writes them.
enum DASHTime {
    /// A duration such as `PT1H2M3.5S`; days count as 24 hours, and at most a year is read.
    static func duration(_ text: String) -> Duration? {
        guard text.hasPrefix("P") else { return nil }
        var (isTime, number, total) = (false, "", 0.0)
        for letter in text.dropFirst() {
            switch letter {
            case "0"..."9", ".": number.append(letter)
            case "T": isTime = true
            default:
                let units: [Character: Double] =
                    isTime ? ["H": 3600, "M": 60, "S": 1] : ["D": 86_400, "W": 604_800]
                guard let value = Double(number), let unit = units[letter] else {
                    // Months and years are no exact time; zeros of them are written.
                    if Double(number) == 0, "YM".contains(letter) {
                        number = ""
                        continue
                    }
                    return nil
                }
                total += value * unit
                number = ""
            }
        }
        return number.isEmpty ? StreamNumbers.seconds(String(total)) : nil
    }

    /// A date such as `2026-01-02T03:04:05.6Z`.
    static func date(_ text: String) -> Date? {
        let whole = text.prefix { $0 != "." }
        let zoned = whole.hasSuffix("Z") || whole.dropFirst(11).contains { "+-".contains($0) }
        return try? Date(zoned ? String(whole) : whole + "Z", strategy: .iso8601)
    }
}

/// The base of addresses at one level of a manifest, and what it says of segments.
struct DASHLevel {
    private(set) var base: StreamBase
    private(set) var template: [String: String] = [:]
    private(set) var timeline: XMLElement?
    private(set) var initialization: XMLElement?
    private(set) var list: XMLElement?
    private(set) var single: XMLElement?
    private(set) var protection: String?

    init(_ element: XMLElement, _ base: StreamBase) throws(StreamError) {
        self.base = base
        self = try inside(element)
    }

    /// The level of an element inside, which has what it does not say itself from outside.
    func inside(_ element: XMLElement) throws(StreamError) -> DASHLevel {
        var level = self
        if let text = element.first("BaseURL")?.text.trimmedLines, !text.isEmpty {
            level.base = base.moved(to: try base.address(text))
        }
        for name in ["SegmentTemplate", "SegmentList", "SegmentBase"] {
            guard let own = element.first(name) else { continue }
            level.template.merge(own.attributes) { $1 }
            level.timeline = own.first("SegmentTimeline") ?? level.timeline
            level.initialization = own.first("Initialization") ?? level.initialization
            switch name {
            case "SegmentList": level.list = own
            case "SegmentBase": level.single = own
            default: break
            }
        }
        let systems = element.all("ContentProtection").compactMap { $0["schemeIdUri"] }
        if !systems.isEmpty {
            level.protection =
                systems.lazy.compactMap(StreamProtection.name).first ?? "Common Encryption"
        }
        return level
    }
}

extension String {
    /// The text without white space around it, also lines.
    fileprivate var trimmedLines: String {
        split(whereSeparator: \.isNewline).map { String($0).trimmed }.joined()
    }
}
