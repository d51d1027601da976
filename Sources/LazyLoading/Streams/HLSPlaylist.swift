internal import FoundationEssentials
internal import LazyBase

/// A playlist of HTTP Live Streaming (RFC 8216): of variants, or of segments.
enum HLSPlaylist {
    /// The variants, and the variables that their playlists may import.
    case variants([StreamVariant], HLSVariables)
    case segments(StreamPlaylist)

    /// Parses a playlist; `base` is where its addresses begin, `imported` are the variables of the one that named it.
    init(
        _ bytes: [UInt8], _ base: StreamBase, importing imported: HLSVariables = HLSVariables()
    ) throws(StreamError) {
        var reader = HLSReader(base, imported)
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            try reader.read(String(decoding: line, as: UTF8.self).trimmed)
        }
        self = try reader.playlist()
    }
}

/// What the lines of a playlist have said so far.
private struct HLSReader {
    private let base: StreamBase
    private let imported: HLSVariables
    private var variables = HLSVariables()
    private var variants: [StreamVariant] = []
    private var variant: StreamVariant?
    private var segments = StreamPlaylist()
    private var isEnded = false
    private var number = 0
    private var duration: Duration?
    private var gap = Duration.zero
    private var isMissing = false
    private var isContinuing = true
    private var map: StreamMap?
    private var key: Key?
    /// Whether the key was read after the last segment.
    private var hasNewKey = false
    private var range: Substring?
    /// The end of the last range of each resource.
    private var ends: [URL: Int] = [:]

    /// A key, whose vector may follow from the number of the segment.
    private enum Key {
        case aes128(URL, vector: [UInt8]?)
        case protected(String)
    }

    init(_ base: StreamBase, _ imported: HLSVariables) {
        (self.base, self.imported) = (base, imported)
    }

    func playlist() throws(StreamError) -> HLSPlaylist {
        if !variants.isEmpty { return .variants(variants, variables) }
        guard !segments.segments.isEmpty else {
            throw .malformed("The HLS playlist names no segment.")
        }
        var playlist = segments
        playlist.isLive = !isEnded
        return .segments(playlist)
    }

    mutating func read(_ line: String) throws(StreamError) {
        guard line.hasPrefix("#") else { return line.isEmpty ? () : try add(line) }
        guard line.hasPrefix("#EXT") else { return }
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        let value = line[colon...].dropFirst()
        switch line[..<colon] {
        case "#EXTINF":
            guard let seconds = StreamNumbers.seconds(value.prefix { $0 != "," }) else {
                throw wrong("#EXTINF", value)
            }
            duration = seconds
        case "#EXT-X-BYTERANGE": range = value
        case "#EXT-X-DISCONTINUITY": isContinuing = false
        case "#EXT-X-GAP": isMissing = true
        case "#EXT-X-ENDLIST": isEnded = true
        // The type VOD says that nothing is added, like the end.
        case "#EXT-X-PLAYLIST-TYPE": isEnded = isEnded || value.trimmed == "VOD"
        case "#EXT-X-MEDIA-SEQUENCE":
            guard let first = StreamNumbers.integer(value.trimmed) else {
                throw wrong("#EXT-X-MEDIA-SEQUENCE", value)
            }
            number = first
        case "#EXT-X-DEFINE":
            // Its own values have none.
            try variables.define(
                HLSAttributes(value, nil).values, imported: imported, address: base.url)
        case "#EXT-X-KEY": try read(key: HLSAttributes(value, variables))
        case "#EXT-X-MAP": try read(map: HLSAttributes(value, variables))
        case "#EXT-X-STREAM-INF": variant = Self.variant(try HLSAttributes(value, variables))
        default: break
        }
    }

    private func wrong(_ tag: String, _ value: Substring) -> StreamError {
        .malformed("The HLS playlist has a wrong \(tag): '\(value.prefix(40))'.")
    }

    // MARK: - What addresses stand for

    private mutating func add(_ line: String) throws(StreamError) {
        let address = try base.address(try variables.replaced(line))
        if var variant {
            variant.source = .playlist(address)
            guard variants.count < 1000 else {
                throw .malformed("The HLS playlist has more than 1000 variants.")
            }
            variants.append(variant)
            self.variant = nil
            return
        }
        guard let duration else {
            throw .malformed("The HLS playlist names \(line.prefix(100)) without its duration.")
        }
        let part = try bytes(range, of: address)
        defer { (number, self.duration, range, isMissing) = (number + 1, nil, nil, false) }
        guard !isMissing else {
            // What follows continues by its own clock, as behind a segment that is not there.
            gap += duration
            return
        }
        try segments.append(
            StreamResource(url: address, range: part), map: map, key: key.map(numbered),
            duration: duration, after: gap, continues: isContinuing)
        (gap, isContinuing, hasNewKey) = (.zero, true, false)
    }

    // Without an offset a range follows the one before it (RFC 8216, 4.3.2.2).
    private mutating func bytes(
        _ text: Substring?, of address: URL
    ) throws(StreamError) -> Range<Int>? {
        guard let text else { return nil }
        guard let range = StreamNumbers.range(text.trimmed, after: ends[address]) else {
            throw wrong("#EXT-X-BYTERANGE", text)
        }
        ends[address] = range.upperBound
        return range
    }

    private mutating func read(map attributes: HLSAttributes) throws(StreamError) {
        guard let uri = attributes["URI"] else { throw wrong("#EXT-X-MAP", "no URI") }
        let range = attributes["BYTERANGE"].map { StreamNumbers.range($0, after: 0) }
        if let range, range == nil { throw wrong("#EXT-X-MAP", "its range") }
        map = StreamMap(
            resource: StreamResource(url: try base.address(uri), range: range ?? nil),
            key: key.map(numbered))
    }

    // Several keys before a segment are the same one in several systems; the plain one is read.
    private mutating func read(key attributes: HLSAttributes) throws(StreamError) {
        let format = attributes["KEYFORMAT"] ?? "identity"
        let next: Key?
        switch attributes["METHOD"] {
        case "NONE": next = nil
        case "AES-128" where format == "identity":
            guard let uri = attributes["URI"] else { throw wrong("#EXT-X-KEY", "no URI") }
            let vector = attributes["IV"].map { StreamNumbers.bytes(hexadecimal: $0, count: 16) }
            if let vector, vector == nil { throw wrong("#EXT-X-KEY", "its IV") }
            next = .aes128(try base.address(uri), vector: vector ?? nil)
        case let method:
            let name = StreamProtection.name(of: format) ?? method ?? "an unknown method"
            if hasNewKey, case .aes128? = key { return }
            next = .protected(name)
        }
        (key, hasNewKey) = (next, true)
    }

    private func numbered(_ key: Key) -> StreamKey {
        switch key {
        case .protected(let name): return .protected(name)
        case .aes128(let url, let vector?): return .aes128(url, vector: vector)
        case .aes128(let url, nil):
            let low = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
            return .aes128(url, vector: Array(repeating: 0, count: 8) + low)
        }
    }

    private static func variant(_ attributes: HLSAttributes) -> StreamVariant {
        var size: (width: Int, height: Int)?
        if let text = attributes["RESOLUTION"]?.lowercased().split(separator: "x"), text.count == 2,
            let width = StreamNumbers.integer(text[0]), let height = StreamNumbers.integer(text[1])
        {
            size = (width, height)
        }
        let bandwidth = attributes["BANDWIDTH"].flatMap { StreamNumbers.integer($0) } ?? 0
        let codecs = attributes["CODECS"]?.lowercased().split(separator: ",").map(\.trimmed)
        let sounds = ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "mp3"]
        let isSound =
            codecs.map { codecs in
                codecs.allSatisfy { codec in sounds.contains { codec.hasPrefix($0) } }
            } ?? false
        return StreamVariant(
            size: size, bandwidth: bandwidth, hasVideo: size != nil || !isSound,
            source: .segments(StreamPlaylist()))
    }
}
