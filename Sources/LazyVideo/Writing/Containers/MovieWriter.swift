internal import LazyMedia

/// The header of an MP4 file whose samples follow it contiguously (ISO/IEC 14496-12).
///
/// Each sample has its frame's duration, even where frames are reordered: decoding times are the sums
/// of durations in decoding order. So the file stores the last frame's duration, whichever frame that
/// is, and the edit list, which starts at the first frame, is all that shifts it to time 0, or behind the
/// sound that is heard before it.
struct MovieWriter {
    private let table: ClipTable
    let sounds: [MovieSound]
    let timescale: Int64
    let times: MovieTimes
    /// The order of samples after the header.
    let plan: ChunkPlan

    /// Makes a writer for a complete clip, with copied sound beside it.
    init(_ table: ClipTable, _ sounds: [MovieSound] = []) {
        self.table = table
        self.sounds = sounds
        // With frames of an hour, ticks of a microsecond overflow.
        let scales = [table.clock.timescale, 90_000, 1000, 1]
        (timescale, times) =
            scales.lazy.map { ($0, MovieTimes(table, scale: $0)) }.first { $0.1.haveRoom }
            ?? (1, MovieTimes(table, scale: 1))
        plan = ChunkPlan(table, sounds.map(\.table), times, timescale: timescale)
    }

    /// The bytes before the samples.
    func head() -> [UInt8] {
        let payload = plan.byteCount
        let isLarge = payload > Int(UInt32.max) - 16
        let type = fileType()
        // Its size does not depend on the offset in it.
        let place = type.count + movie(at: 0).count + (isLarge ? 16 : 8)
        var data = BigEndian()
        data.put(isLarge ? 1 : payload + 8, 4)
        data.bytes += Array("mdat".utf8)
        if isLarge { data.put(payload + 16, 8) }
        return type + movie(at: place) + data.bytes
    }

    /// Until all frames were shown and all sound was heard, in ticks.
    private var duration: Int64 {
        sounds.reduce(times.duration) { max($0, end(of: $1.table)) }
    }

    private func fileType() -> [UInt8] {
        let codec = table.codec == .av1 ? "av01" : "avc1"
        return ISOBox.make(
            "ftyp", Array("isom".utf8) + number(512) + Array("isomiso2\(codec)mp41".utf8))
    }

    private func movie(at place: Int) -> [UInt8] {
        let media =
            mediaHeader() + handler()
            + ISOBox.make("minf", videoHeader() + dataInformation() + sampleTable(at: place))
        let track = trackHeader(1) + editList() + ISOBox.make("mdia", media)
        return ISOBox.make(
            "moov",
            movieHeader() + ISOBox.make("trak", track) + soundTracks(at: place)
                + table.words.movieBox)
    }

    // MARK: - Headers

    var isLong: Bool { duration > Int64(UInt32.max) }

    private func movieHeader() -> [UInt8] {
        var body = BigEndian()
        putTimes(&body, scale: timescale, duration)
        body.put(0x10000, 4)
        body.put(0x0100, 2)
        body.put(0, 2)
        body.put(0, 8)
        putMatrix(&body)
        for _ in 0..<6 { body.put(0, 4) }
        body.put(sounds.count + 2, 4)
        return ISOBox.makeFull("mvhd", version: isLong ? 1 : 0, body.bytes)
    }

    /// The header of a track: of the frames, or of a sound, at full volume.
    ///
    /// Several sounds are one group, of which one is enabled.
    func trackHeader(_ number: Int, _ sound: MovieSound? = nil) -> [UInt8] {
        let size = sound == nil ? table.size : nil
        let duration = sound.map { end(of: $0.table) } ?? times.duration
        let isEnabled = sounds.count < 2 || sound?.table.isDefault != false
        var body = BigEndian()
        let width = isLong ? 8 : 4
        body.put(0, 2 * width)
        body.put(number, 4)
        body.put(0, 4)
        body.put(duration, width)
        // Reserved, layer and alternate group.
        body.put(0, 10)
        body.put(sound != nil && sounds.count > 1 ? 1 : 0, 2)
        body.put(size == nil ? 0x0100 : 0, 2)
        body.put(0, 2)
        putMatrix(&body)
        body.put((size?.width ?? 0) << 16, 4)
        body.put((size?.height ?? 0) << 16, 4)
        return ISOBox.makeFull(
            "tkhd", version: isLong ? 1 : 0, flags: isEnabled ? 3 : 2, body.bytes)
    }

    private func editList() -> [UInt8] {
        guard times.shift > 0 || times.lead > 0 else { return [] }
        return editList(times.lead, times.duration - times.lead, from: times.shift)
    }

    /// A list that shows nothing for a while, and then media from a time on; in ticks of the movie and the media.
    func editList(_ delay: Int64, _ length: Int64, from start: Int64) -> [UInt8] {
        let isLong = isLong || start > Int64(Int32.max)
        let edits = [(delay, Int64(-1)), (length, start)].drop { delay == 0 && $0.1 < 0 }
        var body = BigEndian()
        body.put(edits.count, 4)
        for (ticks, start) in edits {
            body.put(ticks, isLong ? 8 : 4)
            body.put(start, isLong ? 8 : 4)
            body.put(0x10000, 4)
        }
        return ISOBox.make("edts", ISOBox.makeFull("elst", version: isLong ? 1 : 0, body.bytes))
    }

    private func mediaHeader() -> [UInt8] {
        var body = BigEndian()
        putTimes(&body, scale: timescale, times.duration - times.lead)
        // The language "und", five bits per letter.
        body.put(0x55C4, 2)
        body.put(0, 2)
        return ISOBox.makeFull("mdhd", version: isLong ? 1 : 0, body.bytes)
    }

    private func handler() -> [UInt8] {
        let body = number(0) + Array("vide".utf8) + [UInt8](repeating: 0, count: 12)
        return ISOBox.makeFull("hdlr", version: 0, body + Array("VideoHandler".utf8) + [0])
    }

    private func videoHeader() -> [UInt8] {
        ISOBox.makeFull("vmhd", version: 0, flags: 1, [UInt8](repeating: 0, count: 8))
    }

    func dataInformation() -> [UInt8] {
        ISOBox.make(
            "dinf",
            ISOBox.makeFull(
                "dref", version: 0, number(1) + ISOBox.makeFull("url ", version: 0, flags: 1, [])))
    }

    private func putTimes(_ body: inout BigEndian, scale: Int64, _ duration: Int64) {
        let width = isLong ? 8 : 4
        body.put(0, 2 * width)
        body.put(scale, 4)
        body.put(duration, width)
    }

    func putMatrix(_ body: inout BigEndian) {
        for value in [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] { body.put(value, 4) }
    }

    // MARK: - Samples

    private func sampleTable(at place: Int) -> [UInt8] {
        ISOBox.make(
            "stbl",
            ISOBox.makeFull("stsd", version: 0, number(1) + sampleEntry())
                + runs("stts", times.lengths)
                + offsets()
                + keyframes() + sizes(table.samples.map(\.size))
                + plan.boxes(of: 0, at: place))
    }

    private func sampleEntry() -> [UInt8] {
        var body = BigEndian()
        body.put(0, 6)
        body.put(1, 2)
        body.put(0, 8)
        body.put(0, 8)
        body.put(table.size.width, 2)
        body.put(table.size.height, 2)
        // 72 dots per inch, in both directions.
        body.put(0x48_0000, 4)
        body.put(0x48_0000, 4)
        body.put(0, 4)
        body.put(1, 2)
        body.bytes += [UInt8](repeating: 0, count: 32)
        body.put(24, 2)
        body.put(0xFFFF, 2)
        let isAV1 = table.codec == .av1
        return ISOBox.make(
            isAV1 ? "av01" : "avc1",
            body.bytes + ISOBox.make(isAV1 ? "av1C" : "avcC", table.header) + colorInformation()
                + ISOBox.make("pasp", number(1) + number(1)))
    }

    private func colorInformation() -> [UInt8] {
        let codes = ColorCodes(table.colors)
        var body = BigEndian(bytes: Array("nclx".utf8))
        for code in [codes.primaries, codes.transfer, codes.matrix] { body.put(code, 2) }
        body.put(codes.isFullRange ? 0x80 : 0, 1)
        return ISOBox.make("colr", body.bytes)
    }

    private func offsets() -> [UInt8] {
        times.offsets.allSatisfy { $0 == 0 } ? [] : runs("ctts", times.offsets)
    }

    /// A run-length encoded table.
    func runs(_ name: StaticString, _ values: [Int64]) -> [UInt8] {
        var body = BigEndian()
        var count = 0
        var rest = values[...]
        while let value = rest.first {
            let end = rest.firstIndex { $0 != value } ?? rest.endIndex
            body.put(end - rest.startIndex, 4)
            body.put(value, 4)
            rest = rest[end...]
            count += 1
        }
        return ISOBox.makeFull(name, version: 0, number(count) + body.bytes)
    }

    private func keyframes() -> [UInt8] {
        let keys = table.samples.indices.filter { table.samples[$0].isKey }
        if keys.count == table.samples.count { return [] }
        return ISOBox.makeFull(
            "stss", version: 0, number(keys.count) + keys.flatMap { number($0 + 1) })
    }

    func sizes(_ sizes: [Int]) -> [UInt8] {
        ISOBox.makeFull(
            "stsz", version: 0, number(0) + number(sizes.count) + sizes.flatMap(number))
    }
}
