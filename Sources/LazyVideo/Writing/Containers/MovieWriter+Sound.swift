internal import LazyMedia

/// Copied sound in an MP4 file.
struct MovieSound {
    let table: SoundTable
    /// The sample entry.
    let entry: [UInt8]
}

extension MovieWriter {
    /// The tracks of the sounds, of which players choose one.
    ///
    /// An edit list shifts each: sound before the first frame is not heard, and sound that begins later waits.
    func soundTracks(at place: Int) -> [UInt8] {
        sounds.indices.flatMap { soundTrack($0 + 1, sounds[$0], at: place) }
    }

    private func soundTrack(_ track: Int, _ sound: MovieSound, at place: Int) -> [UInt8] {
        guard let first = sound.table.starts.first else { return [] }
        let media =
            soundHeader(sound.table) + soundHandler
            + ISOBox.make(
                "minf",
                ISOBox.makeFull("smhd", version: 0, number(0)) + dataInformation()
                    + ISOBox.make("stbl", sampleTable(sound, track, place)))
        return ISOBox.make(
            "trak",
            trackHeader(track + 1, sound) + soundEdits(first, sound.table)
                + ISOBox.make("mdia", media)
        )
    }

    private func soundEdits(_ first: Int64, _ sound: SoundTable) -> [UInt8] {
        let delay = ticks(of: max(0, first), sound)
        return editList(delay, max(1, end(of: sound) - delay), from: max(0, -first))
    }

    /// When a sound is over, in ticks of the movie.
    func end(of sound: SoundTable) -> Int64 {
        let end = ticks(of: max(0, sound.end), sound)
        return sound.endsWithFrames ? min(end, times.duration) : end
    }

    private func ticks(of samples: Int64, _ sound: SoundTable) -> Int64 {
        Int64((Double(samples) / Double(sound.format.sampleRate) * Double(timescale)).rounded())
    }

    private func soundHeader(_ sound: SoundTable) -> [UInt8] {
        let duration = sound.lengths.reduce(0, +)
        let isLong = duration > Int64(UInt32.max)
        let width = isLong ? 8 : 4
        var body = BigEndian()
        body.put(0, 2 * width)
        body.put(sound.format.sampleRate, 4)
        body.put(duration, width)
        body.put(Self.language(sound.format.language), 2)
        body.put(0, 2)
        return ISOBox.makeFull("mdhd", version: isLong ? 1 : 0, body.bytes)
    }

    /// A language as three letters of five bits (ISO/IEC 14496-12, 8.4.2.3); `und` where it is not told.
    private static func language(_ text: String?) -> Int {
        let code = text.flatMap { LanguageCode($0)?.code } ?? "und"
        let letters = code.utf8.count == 3 ? Array(code.utf8) : Array("und".utf8)
        return letters.reduce(0) { $0 << 5 | Int($1 & 31) }
    }

    private var soundHandler: [UInt8] {
        let body = number(0) + Array("soun".utf8) + [UInt8](repeating: 0, count: 12)
        return ISOBox.makeFull("hdlr", version: 0, body + Array("SoundHandler".utf8) + [0])
    }

    private func sampleTable(_ sound: MovieSound, _ track: Int, _ place: Int) -> [UInt8] {
        ISOBox.makeFull("stsd", version: 0, number(1) + sound.entry)
            + runs("stts", sound.table.lengths) + sizes(sound.table.sizes)
            + plan.boxes(of: track, at: place)
    }
}
