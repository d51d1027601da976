internal import LazyMedia

/// The headers before and between the frames of a WebM file (RFC 9559).
///
/// Times are whole milliseconds. The last frame's duration is always written; those of the others
/// follow from the next frame's time, and are written where frames differ in duration, because there
/// is no default then. All sizes are known; the list of keyframes is before the frames.
struct MatroskaWriter {
    private let table: ClipTable
    private let sounds: [SoundTable]
    private let times: [Int64]
    private let constant: Int?
    /// The blocks in the order of the file.
    let blocks: [MatroskaBlock]
    private var clusters: [Cluster] = []
    private var clusterNumbers: [Int] = []

    private struct Cluster {
        let blocks: Range<Int>
        let time: Int64
        var size = 0
    }

    /// Makes a writer for a complete clip, with copied sound beside it.
    init(_ table: ClipTable, _ sounds: [SoundTable] = []) {
        self.table = table
        self.sounds = sounds
        times = table.clock.ticks(perSecond: 1000)
        blocks = MatroskaBlock.all(table, times, sounds)
        constant = Self.constantLength(table.clock.ticks(perSecond: 1_000_000))
        var start = 0
        for index in 1..<max(1, blocks.count) where begins(index, after: start) {
            addCluster(start..<index)
            start = index
        }
        addCluster(start..<blocks.count)
    }

    /// The bytes before the first cluster.
    func head() -> [UInt8] {
        var file = EBML()
        file.put(0x1A45_DFA3) { head in
            head.put(0x4286, 1)
            head.put(0x42F7, 1)
            head.put(0x42F2, 4)
            head.put(0x42F3, 8)
            head.put(0x4282, "webm")
            head.put(0x4287, 4)
            head.put(0x4285, 2)
        }
        let inner = segmentHead()
        let total = inner.count + clusters.reduce(0) { $0 + $1.size }
        file.putHead(0x1853_8067, total)
        return file.bytes + inner
    }

    /// The bytes before a block's data: the cluster's header, where it starts one, and its own.
    func prefix(of number: Int) -> [UInt8] {
        let cluster = clusters[clusterNumbers[number]]
        let start =
            number == cluster.blocks.lowerBound
            ? EBML.head(0x1F43_B675, bodySize(of: cluster)) + time(of: cluster) : []
        return start + blockHead(blocks[number], cluster)
    }

    /// The bytes between a sample and its alpha.
    func middle(of sample: Int) -> [UInt8] {
        let size = table.samples[sample].alphaSize
        guard size > 0 else { return [] }
        let addition = EBML.head(0xA5, size)
        let more = [0xEE, 0x81, 1] + addition
        let frame = EBML.head(0xA6, more.count + size)
        return EBML.head(0x75A1, frame.count + more.count + size) + frame + more
    }

    /// The bytes after a sample.
    func suffix(of sample: Int) -> [UInt8] {
        guard isGroup(sample) else { return [] }
        var end = EBML()
        end.put(0x9B, Int(times[sample + 1] - times[sample]))
        if !table.samples[sample].isKey, sample > 0 {
            end.put(0xFB, signed: Int(times[sample - 1] - times[sample]))
        }
        return end.bytes
    }

    // MARK: - Clusters

    /// A keyframe starts a cluster; times in a cluster are signed 16-bit numbers.
    private func begins(_ index: Int, after start: Int) -> Bool {
        isKey(blocks[index]) || blocks[index].time - blocks[start].time > 30_000
    }

    private func isKey(_ block: MatroskaBlock) -> Bool {
        block.track == 0 && table.samples[block.number].isKey
    }

    private mutating func addCluster(_ blocks: Range<Int>) {
        guard !blocks.isEmpty else { return }
        var cluster = Cluster(blocks: blocks, time: self.blocks[blocks.lowerBound].time)
        let body = bodySize(of: cluster)
        cluster.size = EBML.head(0x1F43_B675, body).count + body
        clusterNumbers += repeatElement(clusters.count, count: blocks.count)
        clusters.append(cluster)
    }

    private func bodySize(of cluster: Cluster) -> Int {
        blocks[cluster.blocks].reduce(time(of: cluster).count) { size, block in
            let content = block.track > 0 ? block.size : contentSize(of: block.number)
            return size + blockHead(block, cluster).count + content
        }
    }

    private func contentSize(of sample: Int) -> Int {
        let entry = table.samples[sample]
        return entry.size + middle(of: sample).count + entry.alphaSize + suffix(of: sample).count
    }

    private func time(of cluster: Cluster) -> [UInt8] {
        var element = EBML()
        element.put(0xE7, Int(cluster.time))
        return element.bytes
    }

    private func isGroup(_ sample: Int) -> Bool {
        constant == nil || sample == table.samples.count - 1
            || table.samples[sample].alphaSize > 0
    }

    /// The header of a SimpleBlock, or those of a BlockGroup and its Block.
    private func blockHead(_ block: MatroskaBlock, _ cluster: Cluster) -> [UInt8] {
        if block.track > 0 {
            var fields = BigEndian(bytes: EBML.track(block.track + 1))
            fields.put(block.time - cluster.time, 2)
            fields.put(0x80, 1)
            return EBML.head(0xA3, fields.bytes.count + block.size) + fields.bytes
        }
        let sample = block.number
        let entry = table.samples[sample]
        var fields = BigEndian(bytes: [0x81])
        fields.put(times[sample] - cluster.time, 2)
        let isGroup = isGroup(sample)
        fields.put(!isGroup && entry.isKey ? 0x80 : 0, 1)
        let block =
            EBML.head(isGroup ? 0xA1 : 0xA3, fields.bytes.count + entry.size) + fields.bytes
        guard isGroup else { return block }
        return EBML.head(0xA0, block.count + contentSize(of: sample)) + block
    }

    // MARK: - Before the clusters

    /// Until all frames were shown and all sound was heard, in milliseconds.
    private var duration: Double {
        sounds.filter { !$0.endsWithFrames }.reduce(Double(times.last ?? 0)) {
            max($0, Double($1.end) / Double($1.format.sampleRate) * 1000)
        }
    }

    private func segmentHead() -> [UInt8] {
        var info = EBML()
        info.put(0x1549_A966) { info in
            info.put(0x2AD7B1, 1_000_000)
            info.put(0x4489, duration)
            info.put(0x4D80, "lazyimg")
            info.put(0x5741, "lazyimg")
            if let title = table.words.tags.title { info.put(0x7BA9, title) }
        }
        var tracks = EBML()
        tracks.put(0x1654_AE6B) { tracks in
            tracks.put(0xAE, putTrack)
            for (place, sound) in sounds.enumerated() {
                tracks.put(0xAE) {
                    sound.format.put(into: &$0, number: place + 2, isDefault: sound.isDefault)
                }
            }
        }
        table.words.put(into: &tracks)
        // Chapters and tags follow the tracks. The sizes of both lists do not depend on their numbers.
        let seekSize = seekHead(info.bytes.count, tracks.bytes.count).count
        let first = seekSize + info.bytes.count + tracks.bytes.count + cues(from: 0).count
        return seekHead(info.bytes.count, tracks.bytes.count) + info.bytes + tracks.bytes
            + cues(from: first)
    }

    private func putTrack(_ track: inout EBML) {
        track.put(0xD7, 1)
        track.put(0x73C5, 1)
        track.put(0x83, 1)
        track.put(0x9C, 0)
        track.put(0x22B59C, "und")
        if let constant { track.put(0x23E383, constant) }
        if table.hasAlpha { track.put(0x55EE, 1) }
        track.put(0x86, table.codec == .av1 ? "V_AV1" : "V_VP9")
        if !table.header.isEmpty { track.put(0x63A2, table.header) }
        track.put(0xE0) { video in
            video.put(0xB0, table.size.width)
            video.put(0xBA, table.size.height)
            if table.hasAlpha { video.put(0x53C0, 1) }
            video.put(0x55B0, putColors)
        }
    }

    private func putColors(_ color: inout EBML) {
        let codes = ColorCodes(table.colors)
        color.put(0x55B1, codes.matrix)
        if table.colors.matrix != nil {
            // Chroma siting: left or between columns; between rows.
            color.put(0x55B7, table.colors.isChromaLeft ? 1 : 2)
            color.put(0x55B8, 2)
        }
        color.put(0x55B9, codes.isFullRange ? 2 : 1)
        color.put(0x55BA, codes.transfer)
        color.put(0x55BB, codes.primaries)
    }

    private func seekHead(_ infoSize: Int, _ tracksSize: Int) -> [UInt8] {
        func list(from start: Int) -> [UInt8] {
            var list = EBML()
            list.put(0x114D_9B74) { head in
                let places = [
                    (0x1549_A966, start), (0x1654_AE6B, start + infoSize),
                    (0x1C53_BB6B, start + infoSize + tracksSize),
                ]
                for (id, place) in places {
                    head.put(0x4DBB) { entry in
                        entry.put(0x53AB, id, width: 4)
                        entry.put(0x53AC, place, width: 8)
                    }
                }
            }
            return list.bytes
        }
        return list(from: list(from: 0).count)
    }

    private func cues(from first: Int) -> [UInt8] {
        var cues = EBML()
        cues.put(0x1C53_BB6B) { list in
            var place = first
            for cluster in clusters {
                if isKey(blocks[cluster.blocks.lowerBound]) {
                    list.put(0xBB) { point in
                        point.put(0xB3, Int(cluster.time))
                        point.put(0xB7) { position in
                            position.put(0xF7, 1)
                            position.put(0xF1, place, width: 8)
                        }
                    }
                }
                place += cluster.size
            }
        }
        return cues.bytes
    }

    /// The duration of all frames in nanoseconds, where they differ by no more than rounding.
    private static func constantLength(_ micros: [Int64]) -> Int? {
        let lengths = zip(micros.dropFirst(), micros).map(-)
        guard let first = lengths.first, lengths.allSatisfy({ abs($0 - first) <= 1 }) else {
            return nil
        }
        return Int(Double((micros.last ?? 0) * 1000) / Double(lengths.count) + 0.5)
    }
}
