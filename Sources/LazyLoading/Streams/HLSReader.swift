internal import FoundationEssentials
internal import LazyBase

/// What the lines of a playlist have said so far.
struct HLSReader {
    private let bytes: [UInt8]
    private let base: StreamBase
    private let imported: HLSVariables
    private let budget: StreamBudget
    private var variables = HLSVariables()
    private var variants: HLSVariants
    private var variant: StreamVariant?
    private var segments: StreamPlaylist
    private var isEnded = false
    private var number = 0
    private var duration: Duration?
    private var gap = Duration.zero
    private var isMissing = false
    private var isContinuing = true
    private var map: (map: Map, place: Int32?)?
    private var key: (key: Key, place: Int32?)?
    /// Whether the key was read after the last segment.
    private var hasNewKey = false
    private var range: ArraySlice<UInt8>?
    /// The end of the last range of each resource.
    private var ends: [ArraySlice<UInt8>: Int] = [:]

    /// A key, whose vector may follow from the number of the segment.
    fileprivate enum Key: Equatable {
        case aes128(ArraySlice<UInt8>, vector: [UInt8]?)
        case protected(String)
    }

    private struct Map: Equatable {
        let uri: ArraySlice<UInt8>
        let range: Range<Int>?
        let key: Key?
        /// The number by which it is encrypted, if that follows from it.
        let number: Int
    }

    /// The memory of a variant, a map, a key or an end, about.
    private static let entrySize = 128

    init(
        _ bytes: [UInt8], _ base: StreamBase, _ imported: HLSVariables, _ budget: StreamBudget
    ) {
        (self.bytes, self.base, self.imported, self.budget) = (bytes, base, imported, budget)
        let names = HLSNames(bytes: bytes, base: base, variables: HLSVariables())
        variants = HLSVariants(names: names)
        segments = StreamPlaylist(base)
    }

    func playlist() throws(StreamError) -> HLSPlaylist {
        let names = HLSNames(bytes: bytes, base: base, variables: variables)
        if !variants.variants.isEmpty {
            var variants = variants
            variants.names = names
            return .variants(variants)
        }
        guard segments.count > 0 else { throw .malformed("The HLS playlist names no segment.") }
        var playlist = segments
        // The one that all names of this playlist have.
        _ = playlist.add(names)
        playlist.isLive = !isEnded
        return .segments(playlist)
    }

    mutating func read(_ line: ArraySlice<UInt8>) throws(StreamError) {
        guard line.first == UInt8(ascii: "#") else { return line.isEmpty ? () : try add(line) }
        guard line.starts(with: "#EXT".utf8) else { return }
        let tag = line.prefix { $0 != UInt8(ascii: ":") }
        let value = line[tag.endIndex...].dropFirst()
        switch tag.text(32) {
        case "#EXTINF":
            let text = value.prefix { $0 != UInt8(ascii: ",") }.text(StreamNumbers.longest + 1)
            guard let seconds = StreamNumbers.seconds(text) else { throw wrong("#EXTINF", value) }
            duration = seconds
            // Whole seconds are those of version 2, and of programs that write them still.
            if !text.contains(".") { segments.hasRoundedLengths = true }
        case "#EXT-X-BYTERANGE": range = value
        case "#EXT-X-DISCONTINUITY": isContinuing = false
        case "#EXT-X-GAP": isMissing = true
        case "#EXT-X-ENDLIST": isEnded = true
        // The type VOD says that nothing is added, like the end.
        case "#EXT-X-PLAYLIST-TYPE": isEnded = isEnded || value.trimmed.elementsEqual("VOD".utf8)
        case "#EXT-X-MEDIA-SEQUENCE":
            let text = value.trimmed.text(StreamNumbers.longest + 1)
            guard let first = StreamNumbers.integer(text) else {
                throw wrong("#EXT-X-MEDIA-SEQUENCE", value)
            }
            number = first
        case "#EXT-X-DEFINE":
            try variables.define(
                HLSAttributes(value, budget), imported: imported, address: base.url, budget)
        case "#EXT-X-KEY": try read(key: HLSAttributes(value, budget))
        case "#EXT-X-MAP": try read(map: HLSAttributes(value, budget))
        case "#EXT-X-STREAM-INF":
            variant = try HLSAttributes(value, budget).variant(variables, variants.variants.count)
        default: break
        }
    }

    private func wrong(_ tag: String, _ value: ArraySlice<UInt8>) -> StreamError {
        wrong(tag, value.text(40))
    }

    private func wrong(_ tag: String, _ value: String) -> StreamError {
        .malformed("The HLS playlist has a wrong \(tag): '\(value)'.")
    }

    // MARK: - What addresses stand for

    private mutating func add(_ line: ArraySlice<UInt8>) throws(StreamError) {
        let isLocal = try base.namesFile(try variables.beginning(of: line))
        if let variant {
            guard variants.variants.count < 1000 else {
                throw .malformed("The HLS playlist has more than 1000 variants.")
            }
            try budget.spend(bytes: Self.entrySize)
            variants.variants.append(variant)
            variants.lines.append(SegmentName(line))
            self.variant = nil
            return
        }
        guard let duration else {
            throw .malformed("The HLS playlist names \(line.text(100)) without its duration.")
        }
        let part = try bytes(range, of: line)
        defer { (number, self.duration, range, isMissing) = (number + 1, nil, nil, false) }
        guard !isMissing else {
            // What follows continues by its own clock, as behind a segment that is not there.
            gap += duration
            return
        }
        try segments.append(
            StreamPlaylist.Entry(
                name: SegmentName(line), naming: 0, map: try placeOfMap(), key: try placeOfKey(),
                number: number, range: part, isLocal: isLocal),
            duration: duration, after: gap, continues: isContinuing, budget)
        (gap, isContinuing, hasNewKey) = (.zero, true, false)
    }

    // Without an offset a range follows the one before it (RFC 8216, 4.3.2.2).
    private mutating func bytes(
        _ text: ArraySlice<UInt8>?, of address: ArraySlice<UInt8>
    ) throws(StreamError) -> Range<Int>? {
        guard let text else { return nil }
        let digits = text.trimmed.text(StreamNumbers.longest + 1)
        guard let range = StreamNumbers.range(digits, after: ends[address]) else {
            throw wrong("#EXT-X-BYTERANGE", text)
        }
        if ends[address] == nil { try budget.spend(bytes: Self.entrySize) }
        ends[address] = range.upperBound
        return range
    }

    // MARK: - Maps and keys

    private mutating func read(map attributes: HLSAttributes) throws(StreamError) {
        guard let uri = attributes["URI"] else { throw wrong("#EXT-X-MAP", "no URI") }
        let range = try attributes.text("BYTERANGE", variables).map {
            StreamNumbers.range($0, after: 0)
        }
        if let range, range == nil { throw wrong("#EXT-X-MAP", "its range") }
        let isNumbered = if case .aes128(_, vector: nil)? = key?.key { true } else { false }
        let next = Map(
            uri: uri, range: range ?? nil, key: key?.key, number: isNumbered ? number : 0)
        // One that is said again is the same.
        if map?.map != next { map = (next, nil) }
    }

    private mutating func placeOfMap() throws(StreamError) -> Int32? {
        guard let current = map else { return nil }
        if let place = current.place { return place }
        let isLocal = try base.namesFile(try variables.beginning(of: current.map.uri))
        try budget.spend(bytes: Self.entrySize)
        let key = current.map.key.map { segments.add($0.ofPlaylist) }
        let place = segments.add(
            StreamPlaylist.Map(
                name: SegmentName(current.map.uri), naming: 0, range: current.map.range, key: key,
                number: current.map.number, isLocal: isLocal))
        map?.place = place
        return place
    }

    private mutating func placeOfKey() throws(StreamError) -> Int32? {
        guard let current = key else { return nil }
        if let place = current.place { return place }
        try budget.spend(bytes: Self.entrySize)
        let place = segments.add(current.key.ofPlaylist)
        key?.place = place
        return place
    }

    // Several keys before a segment are the same one in several systems; the plain one is read.
    private mutating func read(key attributes: HLSAttributes) throws(StreamError) {
        let format = try attributes.text("KEYFORMAT", variables) ?? "identity"
        let next: Key?
        switch try attributes.text("METHOD", variables) {
        case "NONE": next = nil
        case "AES-128" where format == "identity":
            guard let uri = attributes["URI"] else {
                throw wrong("#EXT-X-KEY", "no URI")
            }
            _ = try base.namesFile(try variables.beginning(of: uri))
            let vector = try attributes.text("IV", variables).map {
                StreamNumbers.bytes(hexadecimal: $0, count: 16)
            }
            if let vector, vector == nil { throw wrong("#EXT-X-KEY", "its IV") }
            next = .aes128(uri, vector: vector ?? nil)
        case let method:
            let name =
                StreamProtection.name(of: format) ?? method.map { String($0.prefix(100)) }
                ?? "an unknown method"
            if hasNewKey, case .aes128? = key?.key { return }
            next = .protected(name)
        }
        (key, hasNewKey) = (next.map { ($0, nil) }, true)
    }
}

extension HLSReader.Key {
    fileprivate var ofPlaylist: StreamPlaylist.Key {
        switch self {
        case .aes128(let uri, let vector): .aes128(SegmentName(uri), naming: 0, vector: vector)
        case .protected(let name): .protected(name)
        }
    }
}

extension HLSAttributes {
    fileprivate func variant(
        _ variables: HLSVariables, _ place: Int
    ) throws(StreamError) -> StreamVariant {
        var size: (width: Int, height: Int)?
        if let text = try text("RESOLUTION", variables)?.lowercased().split(separator: "x"),
            text.count == 2, let width = StreamNumbers.integer(text[0]),
            let height = StreamNumbers.integer(text[1])
        {
            size = (width, height)
        }
        let bandwidth = try text("BANDWIDTH", variables).flatMap { StreamNumbers.integer($0) } ?? 0
        let codecs = try text("CODECS", variables)?.lowercased().split(separator: ",").map(
            \.trimmed)
        let sounds = ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "mp3"]
        let isSound =
            codecs.map { codecs in
                codecs.allSatisfy { codec in sounds.contains { codec.hasPrefix($0) } }
            } ?? false
        return StreamVariant(
            size: size, bandwidth: bandwidth, hasVideo: size != nil || !isSound, place: place)
    }
}
