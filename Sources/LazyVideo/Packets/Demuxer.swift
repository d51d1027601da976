internal import CFFmpeg
internal import LazyMedia

/// Reads the packets of one stream of a container; owns an `AVFormatContext`.
///
/// The demuxer discards all other streams; audio is never decoded.
final class Demuxer: PacketSource {
    /// The demuxers of streams without a container, whose pictures follow each other at a fixed rate.
    static let bareStreams: Set<String> = ["h264", "hevc", "mpegvideo", "m4v"]

    let bytes: any ByteSource
    let formatName: String
    let limits: DecodingLimits
    /// Whether packets have times: those that FFmpeg makes up for bare streams have gaps.
    private var isTimed: Bool { !Self.bareStreams.contains(formatName) }
    // Off where the packets' bytes are not those of the file.
    private let isParsing: Bool
    private(set) var input: MemoryInput
    private(set) var format: UnsafeMutablePointer<AVFormatContext>?
    // Packets that were read and are returned before others, and how often the clock had jumped then.
    private var waiting: [(packet: Packet, jumps: Int)] = []
    /// What reads the packets instead of FFmpeg, once the tables of a movie have been adopted.
    var listing: Listing?
    /// What finds keyframes that nothing lists.
    var search: ClusterSearch?
    /// Whether FFmpeg opens all of a movie of which it may open the beginning alone.
    var opensAll = false
    // Packets returned since the start; 0 means that the next one is the first.
    private var returnedCount = 0
    private(set) var damage: String?
    // Whether pages of Ogg were left out before the next packet.
    private var hasLostParts = false
    // Whether the file ends before it says, once that was asked for.
    private var endsEarly: Bool?
    // How often the clock had jumped when the latest packet was returned.
    private var returnedJumps = 0
    // The check sums of Matroska.
    private var sums: ClusterSums?
    // For containers whose times may restart.
    private var clock: PacketClock?
    /// Whether the file is several, one behind the other.
    private(set) var joining = JoinedFile.no
    /// Whether a decoder that examined the streams rejected pictures for their size.
    var wasRefusing = false
    /// Whether the streams were examined by reading ahead.
    var isExamined = false
    /// Packets of the chosen stream that the header lists; 0 in a fragmented file.
    var headerIndexCount = 0
    /// What is known of the streams beside their headers.
    var facts = StreamFacts()
    /// The index of the chosen stream, or nil before one is chosen.
    private(set) var streamIndex: Int?

    /// Opens a container and reads its header.
    init(
        _ bytes: any ByteSource, format name: String, isParsing: Bool = true,
        limits: DecodingLimits, cancellation: CancellationFlag
    ) throws(MediaError) {
        self.bytes = bytes
        self.limits = limits
        self.isParsing = isParsing
        formatName = name
        input = try MemoryInput(
            MovieBytes.opened(bytes), isSeekable: name != "matroska", cancellation: cancellation)
        try open()
    }

    deinit { close() }

    /// Whether it is a stream that goes on.
    var isArriving: Bool { bytes.arrived != nil }

    var cancellation: CancellationFlag {
        get { input.cancellation }
        set { input.cancellation = newValue }
    }

    /// The streams, in the container's order.
    var streams: [UnsafeMutablePointer<AVStream>] {
        guard let format, let list = format.pointee.streams else { return [] }
        return (0..<Int(format.pointee.nb_streams)).compactMap { list[$0] }
    }

    /// The chosen stream's codec header.
    var parameters: UnsafePointer<AVCodecParameters>? {
        guard let streamIndex, streams.indices.contains(streamIndex) else { return nil }
        return streams[streamIndex].pointee.codecpar.map { UnsafePointer($0) }
    }

    /// The most pictures that are decoded before one that is shown earlier, as far as the container tells.
    var reorderingDepth: Int { Int(parameters?.pointee.video_delay ?? 0) }

    /// The codec's header bytes; valid as long as the demuxer.
    var extradata: UnsafeBufferPointer<UInt8> {
        guard let parameters else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(
            start: parameters.pointee.extradata,
            count: Int(max(0, parameters.pointee.extradata_size)))
    }

    /// The duration in microseconds, or nil.
    var duration: Int64? {
        guard let length = format?.pointee.duration, length != LZ_NOPTS, length > 0 else {
            return nil
        }
        return length
    }

    /// Width to height of a coded pixel; the container takes precedence over the codec.
    func sampleAspect(_ stream: UnsafeMutablePointer<AVStream>) -> AVRational {
        lz_sample_aspect(format, stream, nil)
    }

    /// The times of the keyframes that the container lists, as far as it has been read.
    var keyTicks: [Int64] {
        guard let streamIndex, streams.indices.contains(streamIndex) else { return [] }
        let stream = streams[streamIndex]
        return (0..<max(0, lz_index_count(stream))).compactMap { i in
            guard let entry = lz_index_entry(stream, i),
                lz_index_flags(entry) & AVINDEX_KEYFRAME != 0
            else { return nil }
            return entry.pointee.timestamp
        }
    }

    /// The container's frames per second, or nil.
    var frameRate: Double? {
        guard let streamIndex, streams.indices.contains(streamIndex) else { return nil }
        let rate = streams[streamIndex].pointee.avg_frame_rate
        return rate.num > 0 && rate.den > 0 ? Double(rate.num) / Double(rate.den) : nil
    }

    /// Chooses the stream to read and discards all others.
    func choose(_ index: Int) {
        if streamIndex == nil, returnedCount == 0, !isExamined, streams.indices.contains(index) {
            headerIndexCount = Int(lz_index_count(streams[index]))
        }
        streamIndex = index
        if clock != nil { followClock() }
        for stream in streams {
            let isNeeded = isNeeded(Int(stream.pointee.index))
            stream.pointee.discard = isNeeded ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Whether the times of the container may restart.
    var hasClock: Bool { clock != nil }

    /// Whether the times of the packets so far restart or jump.
    var hasJumpingClock: Bool { clock.map { $0.jumps > 0 } == true }

    /// Whether the packets of a stream are read: those of the chosen one, and those that tell its clock.
    private func isNeeded(_ index: Int) -> Bool {
        index == streamIndex || clock?.needs(index) == true
    }

    private func followClock() {
        let films = streams.filter { StreamInfo.Kind($0) == .video }
        let film = films.first { Int($0.pointee.index) == streamIndex } ?? Self.largest(films)
        for stream in clock?.needsSound(beside: film) == false ? [film] : [film, sound] {
            if let stream { clock?.follow(stream) }
        }
    }

    func read(into packet: Packet) throws(MediaError) -> Bool {
        if listing != nil { return try readListed(into: packet) }
        return try readContained(into: packet)
    }

    /// Reads the next packet through FFmpeg.
    func readContained(into packet: Packet) throws(MediaError) -> Bool {
        let jumps: Int
        if let next = waiting.first {
            waiting.removeFirst()
            packet.take(next.packet)
            jumps = next.jumps
        } else {
            guard try readNext(into: packet) else { return false }
            jumps = clock?.jumps ?? 0
        }
        returnedCount += 1
        if packet.isCorrupt, !packet.isKey, formatName == "mpegts" { try clearAtSeam(packet) }
        returnedJumps = jumps
        return true
    }

    /// Says that the last packet before a seam of transport streams is whole.
    ///
    /// FFmpeg takes another count of packets for a loss, in the packet before it, of which its parser may have returned
    /// the one before. Where that was cut its decoder says so.
    private func clearAtSeam(_ packet: Packet) throws(MediaError) {
        while waiting.count < 2 {
            let next = try Packet()
            guard try readNext(into: next) else { break }
            waiting.append((next, clock?.jumps ?? 0))
        }
        if waiting.contains(where: { $0.jumps != returnedJumps }) { packet.clearCorrupt() }
    }

    /// Reads the next packet of the chosen stream.
    private func readNext(into packet: Packet) throws(MediaError) -> Bool {
        var refusals = 0
        try input.cancellation.check()
        while true {
            packet.clear()
            let status = lz_read(format, packet.pointer)
            noteLostParts()
            try input.throwParkedError()
            if status == LZ_ERROR_AGAIN, refusals < 64 {
                refusals += 1
                continue
            }
            // The data does not end where there is no memory for it.
            if status == LZ_ERROR_NOMEM { try check(status, "read the file") }
            if status < 0 {
                recordEnd(status)
                return false
            }
            let index = Int(packet.pointer.pointee.stream_index)
            if isRepeatedHeader(packet, of: index) { continue }
            if clock != nil, let stream = format?.pointee.streams?[index] {
                clock?.correct(packet.pointer, Rational(of: stream))
            }
            if index == streamIndex {
                if !isTimed { packet.clearTimes() }
                // FFmpeg takes the beginning of another movie for a part that the edits of the first leave out.
                if joining == .certain, formatName == "mov", hasJumpingClock {
                    packet.clearDiscarded()
                }
                if hasLostParts { packet.markCorrupt() }
                if try areSumsWrong(packet) { packet.markCorrupt() }
                hasLostParts = false
                // FFmpeg says a millisecond, whatever the rate is.
                if formatName == "dhav" { packet.pointer.pointee.duration = 0 }
                return true
            }
            // A stream that appeared later (MPEG-TS) is discarded from here on.
            if let streamIndex, !isNeeded(index) { choose(streamIndex) }
        }
    }

    /// Whether a packet is a header of Theora that the stream has already: each part of a chained Ogg begins with its own.
    ///
    /// With threads FFmpeg's decoder refuses them (`vp3_decode_frame`), and they have times before the start.
    private func isRepeatedHeader(_ packet: Packet, of index: Int) -> Bool {
        guard formatName == "ogg", packet.bytes.first ?? 0 >= 0x80,
            streams.indices.contains(index),
            let parameters = streams[index].pointee.codecpar?.pointee,
            parameters.codec_id == AV_CODEC_ID_THEORA
        else { return false }
        // A comment (Theora specification, 6.3).
        if packet.bytes.first == 0x81 { return true }
        let known = UnsafeBufferPointer(
            start: parameters.extradata, count: Int(max(0, parameters.extradata_size)))
        return known.firstRange(of: packet.bytes) != nil
    }

    /// Puts a packet back as the next one to read.
    func putBack(_ packet: Packet) throws(MediaError) {
        if listing != nil { return putBackListed() }
        let kept = try Packet()
        kept.take(packet)
        waiting.insert((kept, returnedJumps), at: 0)
        returnedCount -= 1
    }

    func restart() throws(MediaError) {
        if goToListed(0) { return }
        guard returnedCount > 0 else { return }
        try reopen()
    }

    /// Begins again with the first packet.
    func reopen() throws(MediaError) {
        let cancellation = input.cancellation
        let (wasExamined, index) = (isExamined, streamIndex)
        close()
        input = try MemoryInput(
            opensAll ? bytes : MovieBytes.opened(bytes), isSeekable: formatName != "matroska",
            cancellation: cancellation)
        try open()
        if wasExamined { try examine() }
        if let index { choose(index) }
    }

    func seek(to time: Int64) -> Bool {
        guard let streamIndex, listing == nil else { return false }
        waiting = []
        willSeek()
        return lz_seek(format, CInt(streamIndex), time) >= 0
    }

    private func willSeek() {
        returnedCount += 1
        clock?.willSeek()
        sums?.willSeek()
    }

    /// In a transport stream packets are found where they begin: what it needs to read on is everywhere.
    func seek(toByte position: Int) -> Bool {
        guard formatName == "mpegts", streamIndex != nil, listing == nil else { return false }
        waiting = []
        willSeek()
        return lz_seek_byte(format, Int64(position)) >= 0
    }

    private func open() throws(MediaError) {
        guard let allocated = lz_format_alloc() else {
            throw MediaError(.environment, "There is no memory to open the file.")
        }
        input.opening = limits.opening
        input.attach(to: allocated)
        allocated.pointee.max_streams = CInt(clamping: limits.tracks ?? 100_000)
        input.endsAtArrived = isArriving
        var context: UnsafeMutablePointer<AVFormatContext>? = allocated
        var options: OpaquePointer?
        defer { lz_dict_free(&options) }
        // In addition to the refusing `io_open`: nothing nested may open a protocol.
        lz_dict_set(&options, "protocol_whitelist", "none")
        if formatName == "mpegts" { lz_dict_set(&options, "scan_all_pmts", "1") }
        // On failure FFmpeg frees the context itself.
        let status = lz_format_open(&context, lz_find_format(formatName), &options)
        try input.throwParkedError()
        try check(status, "open the file")
        format = context
        joining = bytes.isPartial ? .no : try JoinedFile(bytes, format: formatName)
        clock = context.flatMap { PacketClock($0, joining) }
        if formatName == "matroska", joining != .certain {
            sums = try ClusterSums(bytes, input.cancellation)
        }
        if !isParsing { context?.pointee.flags |= AVFMT_FLAG_NOPARSE }
        returnedCount = 0
        isExamined = false
        // FFmpeg has looked at the end.
        _ = FFmpegLog.takeLostParts()
        hasLostParts = false
        input.endsAtArrived = false
        LiveHandles.didOpen()
        if formatName == "dhav" { try discoverVideo() }
        input.opening = nil
    }

    /// Reads up to the first packet of video, and puts it back: DHAV names its streams in packets alone.
    private func discoverVideo() throws(MediaError) {
        let packet = try Packet()
        for _ in 0..<Self.maxPacketsBefore {
            packet.clear()
            guard lz_read(format, packet.pointer) >= 0 else { break }
            let index = Int(packet.pointer.pointee.stream_index)
            guard streams.indices.contains(index), StreamInfo.Kind(streams[index]) == .video
            else { continue }
            returnedCount += 1
            return try putBack(packet)
        }
        try input.throwParkedError()
    }

    /// Cameras send a picture before so many packets of sound.
    private static let maxPacketsBefore = 256

    private func close() {
        waiting = []
        guard format != nil else { return }
        lz_format_close(&format)
        LiveHandles.didClose()
    }

    /// Notes pages and elements that were left out: FFmpeg logs an error, and continues with the packets behind them.
    func noteLostParts() {
        guard formatName == "ogg" || formatName == "matroska" && !bytes.isPartial else { return }
        guard FFmpegLog.takeLostParts() else { return }
        // The cut element at the end of a file is told of when it is opened.
        if formatName == "matroska" {
            let missed = endsEarly ?? (try? MatroskaEnd.isMissed(by: bytes, limits.opening))
            endsEarly = missed ?? false
            if missed == true { return }
        }
        hasLostParts = true
    }

    private func areSumsWrong(_ packet: Packet) throws(MediaError) -> Bool {
        guard let position = packet.position else { return false }
        return try sums?.areWrong(at: position) == true
    }

    private func recordEnd(_ status: CInt) {
        if hasLostParts {
            damage = "the last \(formatName == "ogg" ? "page" : "cluster") is damaged"
        }
        guard status != LZ_ERROR_EOF else { return }
        damage = FFmpegError(code: status, line: FFmpegLog.takeLine()).description
    }
}
