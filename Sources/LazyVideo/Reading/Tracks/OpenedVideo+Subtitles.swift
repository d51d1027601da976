internal import CFFmpeg
internal import LazyMedia

extension OpenedVideo {
    /// The subtitles of a track, decoded from all of its packets.
    func subtitleTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> SubtitleTrack {
        let tracks = header.streams.filter { $0.kind == .subtitle }
        let track = try choice.choose(among: tracks)
        let number = (tracks.firstIndex(of: track) ?? 0) + 1
        guard track.isText else {
            throw MediaError(
                .unsupported,
                "The subtitles of track \(number) are pictures (\(track.codec)); only text is drawn."
            )
        }
        guard case .demuxer(let name) = stream.container.kind else { throw .noSubtitles }
        let demuxer = try Demuxer(bytes, format: name, limits: limits, cancellation: cancellation)
        if stream.needsExamining { try demuxer.examine() }
        guard let chosen = demuxer.streams.first(where: { $0.pointee.index == track.index }) else {
            throw MediaError(.malformed, "The subtitles are not in the file any more.")
        }
        if StreamChoice.isEncrypted(chosen) { throw .encryptedSubtitles }
        let origin = Double(try origin(cancellation)) * stream.timeBase.doubleValue * 1000
        let fonts = AttachedFonts(demuxer, limits)
        demuxer.choose(track.index)
        var lines = try SubtitleLines(chosen, origin: origin, limits)
        let packet = try Packet()
        while try demuxer.read(into: packet) {
            if packet.isEncrypted { throw .encryptedSubtitles }
            try lines.add(packet)
        }
        return lines.track(fonts)
    }
}

extension MediaError {
    fileprivate static let encryptedSubtitles = Self(
        .encrypted, "The subtitles are encrypted and there is no key.")
}

/// Decodes the packets of a track of subtitles to lines, within bounds.
private struct SubtitleLines {
    private let reader: any SubtitlePacketReading
    private let limits: DecodingLimits
    /// The zero of the film, in milliseconds.
    private let origin: Double
    private var lines: [SubtitleTrack.Line] = []
    private var left = SubtitleTrack.maxBytes
    private var damagedCount = 0
    private var packetCount = 0
    private let header: String

    init(
        _ stream: UnsafeMutablePointer<AVStream>, origin: Double, _ limits: DecodingLimits
    ) throws(MediaError) {
        reader = try stream.makeSubtitleReader()
        self.limits = limits
        self.origin = origin
        header = reader.header
        try spend(header.utf8.count)
    }

    mutating func add(_ packet: Packet) throws(MediaError) {
        packetCount += 1
        try limits.check(entries: packetCount)
        // A table may give a sample any size.
        guard packet.size <= SubtitleTrack.maxBytes, let decoded = reader.decode(packet) else {
            damagedCount += 1
            return
        }
        let start = Int64((Double(decoded.start) / 1000 - origin).rounded())
        for text in decoded.texts {
            try spend(text.utf8.count)
            lines.append(.init(start: start, duration: decoded.duration, text: text))
        }
        guard lines.count <= SubtitleTrack.maxLines else {
            throw .tooManySubtitles
        }
    }

    private mutating func spend(_ count: Int) throws(MediaError) {
        left -= count
        guard left >= 0 else { throw .tooMuchSubtitleText }
    }

    func track(_ fonts: AttachedFonts) -> SubtitleTrack {
        var warnings = fonts.warnings
        if damagedCount > 0 {
            warnings.append(
                MediaWarning(
                    .note,
                    "\(damagedCount) damaged subtitle\(damagedCount == 1 ? " is" : "s are") left out."
                ))
        }
        return SubtitleTrack(header: header, lines: lines, fonts: fonts.fonts, warnings: warnings)
    }
}
