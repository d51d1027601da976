internal import FoundationEssentials
internal import LazyBase

/// A period of a manifest: the variants in it.
struct DASHPeriod {
    private let element: XMLElement
    private let level: DASHLevel
    /// How long it lasts, if the manifest says it.
    private let length: Duration?
    private let isLive: Bool
    private let clock: DASHClock

    init(
        _ element: XMLElement, _ level: DASHLevel, length: Duration?, isLive: Bool,
        clock: DASHClock
    ) {
        self.element = element
        self.level = level
        self.length = length
        self.isLive = isLive
        self.clock = clock
    }

    func variants() throws(StreamError) -> [StreamVariant] {
        var variants: [StreamVariant] = []
        for set in element.all("AdaptationSet") where !Self.isForSeeking(set) {
            let outer = try level.inside(set)
            for representation in set.all("Representation")
            where Self.hasPictures(representation, set) && !Self.isForSeeking(representation) {
                guard variants.count < 1000 else {
                    throw .malformed("The DASH manifest has more than 1000 representations.")
                }
                var variant = StreamVariant(
                    size: Self.size(representation) ?? Self.size(set),
                    bandwidth: representation["bandwidth"].flatMap { StreamNumbers.integer($0) }
                        ?? 0,
                    source: .segments(StreamPlaylist()))
                variant.source = try source(representation, try outer.inside(representation))
                variants.append(variant)
            }
        }
        return variants
    }

    private static func hasPictures(_ representation: XMLElement, _ set: XMLElement) -> Bool {
        let kinds = [set["contentType"], representation["mimeType"], set["mimeType"]]
        if let kind = kinds.compactMap({ $0 }).first { return kind.hasPrefix("video") }
        return size(representation) != nil || size(set) != nil
    }

    // Pictures for fast playback, tiles of thumbnails and parts of a panorama are not the film. Who does not know a
    // property that is essential does not show what has it; but those of color are only to be known.
    private static func isForSeeking(_ element: XMLElement) -> Bool {
        element.all("EssentialProperty").contains { property in
            let scheme = property["schemeIdUri"]?.lowercased() ?? ""
            return ["trickmode", "thumbnail_tile", ":srd:"].contains { scheme.contains($0) }
        }
    }

    private static func size(_ element: XMLElement) -> (width: Int, height: Int)? {
        guard let width = element["width"].flatMap({ StreamNumbers.integer($0) }),
            let height = element["height"].flatMap({ StreamNumbers.integer($0) })
        else { return nil }
        return (width, height)
    }

    // MARK: - Segments

    private func source(
        _ representation: XMLElement, _ level: DASHLevel
    ) throws(StreamError) -> StreamVariant.Source {
        if let protection = level.protection { return .protected(protection) }
        if level.template["media"] != nil {
            return .segments(try templated(representation, level))
        }
        if let list = level.list { return .segments(try listed(list, level)) }
        guard let url = level.base.url else {
            throw .malformed("The DASH manifest names no segments.")
        }
        if let index = level.single?["indexRange"] {
            guard let range = StreamNumbers.inclusiveRange(index) else {
                throw .malformed("The DASH manifest has a wrong range: '\(index.prefix(40))'.")
            }
            let map = level.initialization?["range"].flatMap { StreamNumbers.inclusiveRange($0) }
            return .index(
                StreamResource(url: url, range: range),
                map: map ?? (range.lowerBound > 0 ? 0..<range.lowerBound : nil))
        }
        guard let length else { throw .malformed("The DASH manifest does not say its duration.") }
        var playlist = StreamPlaylist()
        try playlist.append(StreamResource(url: url), duration: length)
        return .segments(playlist)
    }

    private func listed(
        _ list: XMLElement, _ level: DASHLevel
    ) throws(StreamError) -> StreamPlaylist {
        let urls = list.all("SegmentURL")
        let times = try spans(level, count: urls.count)
        let map = try map(level, nil)
        var playlist = StreamPlaylist()
        for (url, span) in zip(urls, times) {
            let range = url["mediaRange"].map { StreamNumbers.inclusiveRange($0) }
            if let range, range == nil {
                throw .malformed("The DASH manifest has a wrong range.")
            }
            let address =
                if let media = url["media"] { try level.base.address(media) } else {
                    level.base.url
                }
            guard let address else { throw .malformed("The DASH manifest names no segments.") }
            try playlist.append(
                StreamResource(url: address, range: range ?? nil), map: map, duration: span.duration
            )
        }
        guard !playlist.segments.isEmpty else {
            throw .malformed("The DASH manifest names no segments.")
        }
        playlist.isLive = isLive
        return playlist
    }

    private func templated(
        _ representation: XMLElement, _ level: DASHLevel
    ) throws(StreamError) -> StreamPlaylist {
        let first = level.template["startNumber"].flatMap { StreamNumbers.integer($0) } ?? 1
        let template = DASHTemplate(
            id: representation["id"] ?? "", bandwidth: representation["bandwidth"] ?? "")
        let map = try map(level, template)
        let media = level.template["media"] ?? ""
        var playlist = StreamPlaylist()
        for span in try spans(level, count: nil) {
            let text = try template.filled(media, number: first + span.place, time: span.time)
            try playlist.append(
                StreamResource(url: try level.base.address(text)), map: map,
                duration: span.duration)
        }
        guard !playlist.segments.isEmpty else {
            throw .malformed("The DASH manifest names no segments.")
        }
        playlist.isLive = isLive
        return playlist
    }

    private func map(
        _ level: DASHLevel, _ template: DASHTemplate?
    ) throws(StreamError) -> StreamMap? {
        if let text = level.template["initialization"], let template {
            let name = try template.filled(text, number: nil, time: nil)
            return StreamMap(resource: StreamResource(url: try level.base.address(name)))
        }
        guard let element = level.initialization else { return nil }
        let address =
            if let source = element["sourceURL"] {
                try level.base.address(source)
            } else { level.base.url }
        guard let address else { return nil }
        let range = element["range"].flatMap { StreamNumbers.inclusiveRange($0) }
        return StreamMap(resource: StreamResource(url: address, range: range))
    }

    // MARK: - Times

    /// When a segment is shown.
    private struct Span {
        /// Its place in the list, from 0.
        let place: Int
        /// Its time in units of the template.
        let time: Int
        let duration: Duration
    }

    private func spans(_ level: DASHLevel, count: Int?) throws(StreamError) -> [Span] {
        let scale = level.template["timescale"].flatMap { StreamNumbers.integer($0) } ?? 1
        guard (1...1 << 32).contains(scale) else {
            throw .malformed("The DASH manifest has a wrong timescale.")
        }
        if let timeline = level.timeline { return try spans(timeline, scale) }
        guard let units = level.template["duration"].flatMap({ StreamNumbers.integer($0) }),
            let each = Self.duration(units, scale)
        else { throw .malformed("The DASH manifest does not say how long its segments are.") }
        if isLive, count == nil { return try newest(units, each) }
        let whole = length.map { $0 / each }
        let number = count ?? whole.map { Int(($0 - 1e-6).rounded(.up)) }
        guard let number, number <= StreamPlaylist.maxSegments else {
            throw .malformed("The DASH manifest does not say its duration.")
        }
        return (0..<max(0, number)).map { place in
            // The last one is shorter.
            let rest = length.map { $0 - each * place } ?? each
            let duration = rest > .zero ? min(each, rest) : each
            return Span(place: place, time: place * units, duration: duration)
        }
    }

    /// The newest complete segment by the clock (ISO/IEC 23009-1, 5.3.9.5.3).
    private func newest(_ units: Int, _ each: Duration) throws(StreamError) -> [Span] {
        let start = element["start"].flatMap(DASHTime.duration) ?? .zero
        guard let elapsed = clock.elapsed, elapsed - start >= each else {
            throw .malformed("The DASH manifest of a live stream has no complete segment yet.")
        }
        let place = min(Int((elapsed - start) / each) - 1, Int.max / max(1, units) - 1)
        return [Span(place: place, time: place * units, duration: each)]
    }

    private func spans(_ timeline: XMLElement, _ scale: Int) throws(StreamError) -> [Span] {
        var spans: [Span] = []
        var time = 0
        let entries = timeline.all("S")
        for (place, entry) in entries.enumerated() {
            if let text = entry["t"] {
                guard let own = StreamNumbers.integer(text) else { throw wrongTimeline }
                time = own
            }
            guard let units = entry["d"].flatMap({ StreamNumbers.integer($0) }),
                let each = Self.duration(units, scale)
            else { throw wrongTimeline }
            let next = entries.dropFirst(place + 1).first?["t"].flatMap {
                StreamNumbers.integer($0)
            }
            let count = try repeats(entry["r"], from: time, units, scale, next) + 1
            guard spans.count + count <= StreamPlaylist.maxSegments else { throw wrongTimeline }
            for _ in 0..<count {
                spans.append(Span(place: spans.count, time: time, duration: each))
                time += units
            }
        }
        return spans
    }

    /// How often an entry is repeated; a negative number means until the next entry or the end.
    private func repeats(
        _ text: String?, from time: Int, _ units: Int, _ scale: Int, _ next: Int?
    ) throws(StreamError) -> Int {
        guard let text else { return 0 }
        guard text.hasPrefix("-") else {
            guard let count = StreamNumbers.integer(text), count < StreamPlaylist.maxSegments else {
                throw wrongTimeline
            }
            return count
        }
        if let next { return max(0, (next - time - 1) / units) }
        guard let length, let each = Self.duration(units, scale) else { throw wrongTimeline }
        return max(0, Int((length / each - 1e-6).rounded(.up)) - 1)
    }

    private var wrongTimeline: StreamError { .malformed("The DASH manifest has a wrong timeline.") }

    /// The duration of some units; nil for none and for what sums of them could not hold.
    private static func duration(_ units: Int, _ scale: Int) -> Duration? {
        guard units < 1 << 44 else { return nil }
        let duration = StreamNumbers.seconds(String(Double(units) / Double(scale)))
        return duration.flatMap { $0 > .zero ? $0 : nil }
    }
}

/// Fills names of segments in: `$Number%05d$` (ISO/IEC 23009-1, 5.3.9.4.4).
struct DASHTemplate {
    let id: String
    let bandwidth: String

    func filled(_ text: String, number: Int?, time: Int?) throws(StreamError) -> String {
        var (filled, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "$") {
            filled += rest[..<start]
            rest = rest[start...].dropFirst()
            guard let end = rest.firstIndex(of: "$") else { throw wrong(text) }
            filled += try value(of: rest[..<end], number, time, text)
            rest = rest[end...].dropFirst()
        }
        return filled + rest
    }

    private func value(
        of word: Substring, _ number: Int?, _ time: Int?, _ text: String
    ) throws(StreamError) -> String {
        let parts = word.split(separator: "%", maxSplits: 1)
        guard let name = parts.first else { return "$" }
        let value: String?
        switch name {
        case "RepresentationID": value = id
        case "Bandwidth": value = bandwidth
        case "Number": value = number.map(String.init)
        case "Time": value = time.map(String.init)
        default: value = nil
        }
        guard let value else { throw wrong(text) }
        guard parts.count == 2 else { return value }
        let format = parts[1]
        guard format.hasPrefix("0"), format.hasSuffix("d"),
            let width = StreamNumbers.integer(format.dropFirst().dropLast()), width <= 32
        else { throw wrong(text) }
        return String(repeating: "0", count: max(0, width - value.count)) + value
    }

    private func wrong(_ text: String) -> StreamError {
        .malformed("The DASH manifest has a wrong template: '\(text.prefix(80))'.")
    }
}
