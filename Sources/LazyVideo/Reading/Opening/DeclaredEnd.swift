internal import LazyMedia

/// Whether a file ends before its container says that it does.
///
/// Movies say it for each sample. Program streams, and what is written as it is sent, do not say it.
struct DeclaredEnd {
    let bytes: any ByteSource
    let opening: OpeningTime

    /// Whether the file of a demuxer ends too early; reads a few bytes at its beginning and end.
    ///
    /// Nothing is known of a file that is still arriving.
    static func isMissed(
        by bytes: any ByteSource, format: String, _ limits: DecodingLimits
    ) throws(MediaError) -> Bool {
        guard !bytes.isPartial else { return false }
        let end = DeclaredEnd(bytes: bytes, opening: limits.opening)
        switch format {
        case "matroska": return try MatroskaEnd.isMissed(by: bytes, limits.opening)
        case "avi": return try end.endsWithinList()
        case "asf": return try end.endsWithinData()
        case "rm": return try end.endsWithinChunk()
        case "swf": return try end.endsWithinFilm()
        case "dv": return try end.endsWithinDVFrame()
        case "mov": return try (bytes as? MovieBytes)?.endsWithinFragment() ?? false
        // Over a network the end would have to be fetched, or every part.
        case _ where bytes.isRemote: return false
        case "flv": return try end.endsWithinTag()
        case "ogg": return try end.endsWithinPage()
        case "mpegts": return try end.endsWithinTransportPacket()
        case "mxf": return try end.endsWithinPartition()
        case "yuv4mpegpipe": return try end.endsWithinRawPicture()
        case "ivf": return try end.endsWithinIVFFrame()
        case "obu": return try end.endsWithinOBU()
        case "av1": return try end.endsWithinTemporalUnit()
        case "nut": return try NUTPackets(bytes, limits)?.areCut ?? false
        case "mjpeg": return try end.endsWithinJPEG()
        default: return false
        }
    }

    // MARK: - AVI

    // Lists of a gigabyte follow each other (OpenDML). Some programs count the head of a list, too.
    private func endsWithinList() throws(MediaError) -> Bool {
        var place = 0
        for _ in 0..<Self.maxLists {
            let head = try bytes.bytes(min(12, bytes.count - place), at: place)
            guard head.count == 12, head.starts(with: "RIFF".utf8),
                head[8...].starts(with: "AVI".utf8)
            else { return false }
            let size = Int(head.bigEndian32(at: 4).byteSwapped)
            // A program that was interrupted has not written the size.
            guard size > 4, size < Int(UInt32.max) else { return false }
            place += 8 + size
            if place > bytes.count + 16 { return true }
            place += size & 1
            if place >= bytes.count || bytes.isRemote { return false }
        }
        return false
    }

    private static let maxLists = 4096

    // MARK: - FLV

    /// Behind each tag is its size.
    private func endsWithinTag() throws(MediaError) -> Bool {
        guard bytes.count > 24 else { return false }
        let end = bytes.count - 4
        let last = Int(try bytes.bytes(4, at: end).bigEndian32(at: 0))
        if last >= 11, last <= end, try tag(at: end - last)?.length == last { return false }
        // Some programs write another size: the tags themselves decide.
        var place = Int(try bytes.bytes(4, at: 5).bigEndian32(at: 0)) + 4
        while place < bytes.count {
            try opening.check()
            guard let tag = try tag(at: place) else { return true }
            guard [8, 9, 18].contains(tag.type) else { return false }
            if tag.length > bytes.count - place { return true }
            place += tag.length + 4
        }
        return false
    }

    private func tag(at place: Int) throws(MediaError) -> (type: UInt8, length: Int)? {
        let head = try bytes.bytes(min(11, bytes.count - place), at: place)
        guard head.count == 11 else { return nil }
        return (head[0] & 31, 11 + Int(head.bigEndian32(at: 0) & 0xFF_FFFF))
    }

    // MARK: - Ogg

    /// A page has at most 65,307 bytes (RFC 3533, 6).
    private func endsWithinPage() throws(MediaError) -> Bool {
        let start = max(0, bytes.count - 65_307)
        let tail = try bytes.bytes(bytes.count - start, at: start)
        let name = Array("OggS".utf8) + [0]
        guard tail.count > 5,
            let page = tail.indices.reversed().first(where: {
                tail[$0] == name[0] && tail[$0...].starts(with: name)
            })
        else { return false }
        guard page + 27 <= tail.count else { return true }
        let lacing = tail[(page + 27)...].prefix(Int(tail[page + 26]))
        let length = lacing.reduce(27 + Int(tail[page + 26])) { $0 + Int($1) }
        return length > tail.count - page
    }
}
