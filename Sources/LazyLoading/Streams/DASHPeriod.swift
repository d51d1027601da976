internal import FoundationEssentials
internal import LazyBase

/// A period of a manifest: the representations in it, and the segments of one of them.
struct DASHPeriod {
    /// A representation with pictures, and the set that it is in.
    struct Representation {
        let element: XMLElement
        let set: XMLElement
        /// Its size and rate; its place is that among the representations of the period.
        let variant: StreamVariant
    }

    private let level: DASHLevel
    let times: DASHTimes
    private let budget: StreamBudget

    /// `length` is how long it lasts, if the manifest says it.
    init(
        _ element: XMLElement, _ level: DASHLevel, length: Duration?, isLive: Bool,
        clock: DASHClock, _ budget: StreamBudget
    ) {
        self.level = level
        self.budget = budget
        times = DASHTimes(
            length: length, isLive: isLive, elapsed: clock.elapsed,
            start: element["start"].flatMap(DASHTime.duration) ?? .zero)
    }

    /// The representations with pictures of a period, of which there may be so many.
    static func representations(
        _ period: XMLElement, most: Int, _ budget: StreamBudget
    ) throws(StreamError) -> [Representation] {
        var found: [Representation] = []
        for set in period.all("AdaptationSet") where !isForSeeking(set) {
            for representation in set.all("Representation") {
                try budget.spend()
                guard hasPictures(representation, set), !isForSeeking(representation) else {
                    continue
                }
                guard found.count < most else {
                    throw .malformed("The DASH manifest has more than \(most) representations.")
                }
                let rate = representation["bandwidth"].flatMap { StreamNumbers.integer($0) }
                let variant = StreamVariant(
                    size: size(representation) ?? size(set), bandwidth: rate ?? 0,
                    place: found.count)
                found.append(Representation(element: representation, set: set, variant: variant))
            }
        }
        return found
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
            let scheme = property["schemeIdUri"]?.prefix(200).lowercased() ?? ""
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

    /// Adds the segments of a representation, which begin a run; returns where they are if not here.
    func add(
        _ representation: Representation, to playlist: inout StreamPlaylist
    ) throws(StreamError) -> DASHSource? {
        let level = try level.inside(representation.set).inside(representation.element)
        let isFirst = playlist.count == 0
        playlist.isDurationStated = times.length != nil && (isFirst || playlist.isDurationStated)
        // One length for all segments is about theirs.
        if level.timeline == nil { playlist.hasRoundedLengths = true }
        if let protection = level.protection { return .protected(protection) }
        if let media = level.template["media"] {
            try add(templated(media, representation.element, level), level, to: &playlist)
            return nil
        }
        if let list = level.list {
            try add(list: list, level, to: &playlist)
            return nil
        }
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
                map: map ?? (range.lowerBound > 0 ? 0..<range.lowerBound : nil), level.base)
        }
        guard let length = times.length else {
            throw .malformed("The DASH manifest does not say its duration.")
        }
        var adding = Adding(FixedName(url: url), isLocal: url.isFile, map: nil, &playlist)
        try adding.append(SegmentName(), nil, length, to: &playlist, budget)
        return nil
    }

    private func templated(
        _ media: String, _ representation: XMLElement, _ level: DASHLevel
    ) -> DASHTemplate {
        DASHTemplate(
            text: media, id: representation["id"] ?? "",
            bandwidth: representation["bandwidth"] ?? "", base: level.base)
    }

    private func add(
        _ template: DASHTemplate, _ level: DASHLevel, to playlist: inout StreamPlaylist
    ) throws(StreamError) {
        let first = level.template["startNumber"].flatMap { StreamNumbers.integer($0) } ?? 1
        // Names differ in digits only, which change neither scheme nor validity.
        let sample = try template.filled(number: first, time: 0)
        let isLocal = try level.base.namesFile(sample.utf8.prefix(StreamBase.maxScheme))
        var adding = Adding(
            template, isLocal: isLocal, map: try map(level, template), &playlist)
        try times.forEach(level, count: nil, budget) { (span) throws(StreamError) in
            let name = SegmentName(first: first + span.place, second: span.time)
            try adding.append(name, nil, span.duration, to: &playlist, budget)
        }
        try adding.checkNotEmpty()
    }

    private func add(
        list: XMLElement, _ level: DASHLevel, to playlist: inout StreamPlaylist
    ) throws(StreamError) {
        let urls = list.all("SegmentURL")
        guard urls.count <= StreamPlaylist.maxSegments else {
            throw .malformed("The DASH manifest names too many segments.")
        }
        let names = DASHList(references: urls.map { $0["media"] }, base: level.base)
        var adding = Adding(names, isLocal: false, map: try map(level, nil), &playlist)
        try times.forEach(level, count: urls.count, budget) { (span) throws(StreamError) in
            guard span.place < urls.count else { return }
            let url = urls[span.place]
            let range = url["mediaRange"].map { StreamNumbers.inclusiveRange($0) }
            if let range, range == nil {
                throw .malformed("The DASH manifest has a wrong range.")
            }
            adding.isLocal =
                if let media = url["media"] {
                    try level.base.namesFile(media.utf8.prefix(StreamBase.maxScheme))
                } else { level.base.url?.isFile ?? false }
            let name = SegmentName(first: span.place)
            try adding.append(name, range ?? nil, span.duration, to: &playlist, budget)
        }
        try adding.checkNotEmpty()
    }

    private func map(
        _ level: DASHLevel, _ template: DASHTemplate?
    ) throws(StreamError) -> StreamResource? {
        if let text = level.template["initialization"], let template {
            let name = try DASHTemplate(
                text: text, id: template.id, bandwidth: template.bandwidth, base: level.base
            ).filled(number: nil, time: nil)
            return StreamResource(url: try level.base.address(name))
        }
        guard let element = level.initialization else { return nil }
        let address =
            if let source = element["sourceURL"] {
                try level.base.address(source)
            } else { level.base.url }
        guard let address else { return nil }
        let range = element["range"].flatMap { StreamNumbers.inclusiveRange($0) }
        return StreamResource(url: address, range: range)
    }
}

/// Adds the segments of one period to a playlist.
private struct Adding {
    private let naming: Int32
    private var map: Int32?
    private var isFirst = true
    /// Whether the next segment is a file.
    var isLocal: Bool

    init(
        _ naming: some SegmentNaming, isLocal: Bool, map: StreamResource?,
        _ playlist: inout StreamPlaylist
    ) {
        self.naming = playlist.add(naming)
        self.isLocal = isLocal
        guard let map else { return }
        let address = playlist.add(FixedName(url: map.url))
        self.map = playlist.add(
            StreamPlaylist.Map(
                name: SegmentName(), naming: address, range: map.range, isLocal: map.url.isFile))
    }

    mutating func append(
        _ name: SegmentName, _ range: Range<Int>?, _ duration: Duration,
        to playlist: inout StreamPlaylist, _ budget: StreamBudget
    ) throws(StreamError) {
        let entry = StreamPlaylist.Entry(
            name: name, naming: naming, map: map, range: range, isLocal: isLocal)
        try playlist.append(
            entry, duration: duration, continues: !isFirst || playlist.count == 0, budget)
        isFirst = false
    }

    func checkNotEmpty() throws(StreamError) {
        if isFirst { throw .malformed("The DASH manifest names no segments.") }
    }
}
