internal import LazyMedia

/// Copied sound in an MP4 file.
struct MovieSound {
    let table: SoundTable
    /// The sample entry.
    let entry: [UInt8]
}

extension MovieWriter {
    /// The track of the sound, which ends with the film, or nothing.
    ///
    /// An edit list shifts it: sound before the first frame is not heard, and sound that begins later
    /// waits.
    func soundTrack(at place: Int) -> [UInt8] {
        guard let sound, let first = sound.table.starts.first else { return [] }
        let media =
            soundHeader(sound.table) + soundHandler
            + ISOBox.make(
                "minf",
                ISOBox.makeFull("smhd", version: 0, number(0)) + dataInformation()
                    + ISOBox.make("stbl", sampleTable(sound, place)))
        return ISOBox.make(
            "trak",
            trackHeader(2, nil) + soundEdits(first, sound.table) + ISOBox.make("mdia", media)
        )
    }

    private func soundEdits(_ first: Int64, _ sound: SoundTable) -> [UInt8] {
        let rate = Double(sound.format.sampleRate)
        // In ticks of the movie.
        let delay = first > 0 ? Int64((Double(first) / rate * Double(timescale)).rounded()) : 0
        let heard = Int64((Double(max(0, sound.end)) / rate * Double(timescale)).rounded())
        let length = max(1, min(duration, heard) - delay)
        return editList(delay, length, from: max(0, -first))
    }

    private func soundHeader(_ sound: SoundTable) -> [UInt8] {
        let duration = sound.lengths.reduce(0, +)
        let isLong = duration > Int64(UInt32.max)
        let width = isLong ? 8 : 4
        var body = BigEndian()
        body.put(0, 2 * width)
        body.put(sound.format.sampleRate, 4)
        body.put(duration, width)
        body.put(0x55C4, 2)
        body.put(0, 2)
        return ISOBox.makeFull("mdhd", version: isLong ? 1 : 0, body.bytes)
    }

    private var soundHandler: [UInt8] {
        let body = number(0) + Array("soun".utf8) + [UInt8](repeating: 0, count: 12)
        return ISOBox.makeFull("hdlr", version: 0, body + Array("SoundHandler".utf8) + [0])
    }

    private func sampleTable(_ sound: MovieSound, _ place: Int) -> [UInt8] {
        ISOBox.makeFull("stsd", version: 0, number(1) + sound.entry)
            + runs("stts", sound.table.lengths) + sizes(sound.table.sizes)
            + plan.boxes(ofSound: true, at: place)
    }
}
