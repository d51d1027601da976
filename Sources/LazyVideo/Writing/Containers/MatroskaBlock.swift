internal import LazyMedia

/// A frame or a packet of sound in a WebM file.
struct MatroskaBlock {
    /// 0 for the frames, then the sounds.
    let track: Int
    /// The number of the sample in its track.
    let number: Int
    /// In milliseconds.
    let time: Int64
    /// Where the data begins among those of its track.
    let offset: Int
    let size: Int

    /// All blocks by their time, frames before sound.
    ///
    /// Sound before the first frame is left out: blocks have no negative times.
    static func all(
        _ table: ClipTable, _ times: [Int64], _ sounds: [SoundTable]
    ) -> [MatroskaBlock] {
        var frames: [MatroskaBlock] = []
        frames.reserveCapacity(table.samples.count)
        var offset = 0
        for (number, sample) in table.samples.enumerated() {
            frames.append(
                MatroskaBlock(
                    track: 0, number: number, time: times[number], offset: offset,
                    size: sample.size))
            offset += sample.size + sample.alphaSize
        }
        return sounds.enumerated().reduce(frames) { merged($0, packets($1.element, $1.offset + 1)) }
    }

    private static func packets(_ sound: SoundTable, _ track: Int) -> [MatroskaBlock] {
        // A decoder subtracts the delay from the times.
        let rate = Double(sound.format.sampleRate)
        var packets: [MatroskaBlock] = []
        var offset = 0
        for (number, size) in sound.sizes.enumerated() {
            let start = Double(sound.starts[number]) + Double(sound.format.preskip)
            let time = Int64((start / rate * 1000).rounded())
            // Rounded twice, the first packet may seem to begin a little earlier.
            if time >= -2 {
                packets.append(
                    MatroskaBlock(
                        track: track, number: number, time: max(0, time), offset: offset,
                        size: size))
            }
            offset += size
        }
        return packets
    }

    private static func merged(
        _ frames: [MatroskaBlock], _ packets: [MatroskaBlock]
    ) -> [MatroskaBlock] {
        var blocks: [MatroskaBlock] = []
        blocks.reserveCapacity(frames.count + packets.count)
        var rest = packets[...]
        for frame in frames {
            while let packet = rest.first, packet.time < frame.time {
                blocks.append(packet)
                rest = rest.dropFirst()
            }
            blocks.append(frame)
        }
        return blocks + rest
    }
}

extension SoundFormat {
    /// Writes the track's entry for WebM.
    func put(into track: inout EBML, number: Int, isDefault: Bool) {
        track.put(0xD7, number)
        track.put(0x73C5, number)
        track.put(0x83, 2)
        if !isDefault { track.put(0x88, 0) }
        track.put(0x9C, 0)
        track.put(0x22B59C, language.flatMap { LanguageCode($0)?.code } ?? "und")
        track.put(0x86, codec == .opus ? "A_OPUS" : "A_VORBIS")
        if codec == .opus {
            // Delay and the sound before a seek, in nanoseconds.
            track.put(0x56AA, preskip * 1_000_000_000 / 48_000)
            track.put(0x56BB, 80_000_000)
        }
        track.put(0x63A2, header)
        track.put(0xE1) { audio in
            audio.put(0xB5, Double(sampleRate))
            audio.put(0x9F, channels)
        }
    }
}
