internal import FoundationEssentials
internal import LazyBase

/// A playlist of HTTP Live Streaming (RFC 8216): of variants, or of segments.
enum HLSPlaylist {
    case variants(HLSVariants)
    case segments(StreamPlaylist)

    /// Parses a playlist; `base` is where its addresses begin, `imported` are the variables of the one that named it.
    init(
        _ bytes: [UInt8], _ base: StreamBase, importing imported: HLSVariables = HLSVariables(),
        _ budget: StreamBudget
    ) throws(StreamError) {
        try budget.spend(bytes: bytes.count)
        var reader = HLSReader(bytes, base, imported, budget)
        var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while place < bytes.count {
            try budget.spend()
            let line = bytes[place...].prefix { $0 != 0x0A && $0 != 0x0D }
            place = line.endIndex + 1
            try reader.read(line.trimmed)
        }
        self = try reader.playlist()
    }
}

/// The variants of a playlist, and what their addresses are made of.
struct HLSVariants: Sendable {
    var variants: [StreamVariant] = []
    var lines: [SegmentName] = []
    var names: HLSNames

    /// The address of the playlist of a variant.
    func address(of variant: StreamVariant) throws(StreamError) -> URL {
        try names.address(lines[variant.place])
    }
}

/// Addresses by the lines of a playlist, with the variables in them.
struct HLSNames: SegmentNaming {
    let bytes: [UInt8]
    let base: StreamBase
    /// The variables, which the playlists of variants may import.
    var variables: HLSVariables

    /// A name is where the text of an address begins and ends.
    func address(_ name: SegmentName) throws(StreamError) -> URL {
        let text = try variables.replaced(bytes[name.first..<name.second])
        return try base.address(String(decoding: text, as: UTF8.self))
    }
}

extension SegmentName {
    /// The name of a part of a playlist's text.
    init(_ text: ArraySlice<UInt8>) {
        self.init(first: text.startIndex, second: text.endIndex)
    }
}
