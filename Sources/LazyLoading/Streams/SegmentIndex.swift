internal import FoundationEssentials

/// The index of a file of fragments: a `sidx` box (ISO/IEC 14496-12, 8.16.3).
enum SegmentIndex {
    /// The segments of a file whose index is at a range of it.
    static func playlist(
        _ bytes: [UInt8], of file: StreamResource, map: Range<Int>?, _ base: StreamBase,
        _ budget: StreamBudget
    ) throws(StreamError) -> StreamPlaylist {
        var reader = BoxReader(bytes)
        let wrong = StreamError.malformed("The index of \(file.url.shortLabel) is not well formed.")
        guard let size = reader.number(4), reader.number(4) == 0x7369_6478, size <= bytes.count,
            let version = reader.number(1), reader.skip(3 + 4), let scale = reader.number(4),
            scale > 0, reader.skip(version == 0 ? 4 : 8),
            let distance = reader.number(version == 0 ? 4 : 8), reader.skip(2),
            let count = reader.number(2), let range = file.range
        else { throw wrong }
        var offset = range.lowerBound.addingReportingOverflow(size).partialValue
        offset = offset.addingReportingOverflow(distance).partialValue
        var playlist = StreamPlaylist(base)
        let (naming, isLocal) = (playlist.add(FixedName(url: file.url)), file.url.isFile)
        let start = map.map {
            playlist.add(
                StreamPlaylist.Map(
                    name: SegmentName(), naming: naming, range: $0, isLocal: isLocal))
        }
        for _ in 0..<count {
            guard let reference = reader.number(4), let units = reader.number(4), reader.skip(4),
                reference >> 31 == 0, offset >= 0, offset < 1 << 53,
                let duration = StreamNumbers.seconds(String(Double(units) / Double(scale)))
            else { throw wrong }
            guard reference > 0 else { continue }
            let entry = StreamPlaylist.Entry(
                name: SegmentName(), naming: naming, map: start,
                range: offset..<offset + reference, isLocal: isLocal)
            try playlist.append(entry, duration: duration, budget)
            offset += reference
        }
        guard playlist.count > 0 else { throw wrong }
        return playlist
    }

    private struct BoxReader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        mutating func number(_ size: Int) -> Int? {
            guard rest.count >= size else { return nil }
            let value = rest.prefix(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(size)
            return Int(exactly: value)
        }

        mutating func skip(_ size: Int) -> Bool {
            guard rest.count >= size else { return false }
            rest = rest.dropFirst(size)
            return true
        }
    }
}
