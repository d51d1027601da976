/// What is known about a movie's track before its tables are read (ISO/IEC 14496-12, 8.3 to 8.7).
struct MovieTrack: Equatable {
    /// The boxes of a track that list its samples or tell how to read the lists.
    enum Table: String, CaseIterable {
        /// Durations of samples.
        case stts
        /// How much later than they are decoded samples are shown.
        case ctts
        /// Sizes of samples.
        case stsz
        /// Numbers of samples in chunks.
        case stsc
        /// Offsets of chunks in the file, in 32 bits.
        case stco
        /// Offsets of chunks in the file, in 64 bits.
        case co64
        /// Numbers of keyframes.
        case stss
        /// Which parts of the track are shown when.
        case elst
        /// The time scale.
        case mdhd
        /// The codecs.
        case stsd
    }

    /// The number that FFmpeg gives its stream.
    var id = 0
    /// The number of its samples.
    var sampleCount = 0
    /// Whether it has pictures.
    var isVideo = false
    /// Whether it has sound.
    var isAudio = false
    /// Where the contents of its boxes are, without their headers.
    var boxes: [Table: Range<Int>] = [:]
    /// Whether it has boxes that change what the tables mean: a second one of a kind, sizes of few bits, other
    /// kinds of keyframes, encryption.
    var isUnusual = false

    private static let unusual: Set<String> = ["stz2", "stps", "senc", "saiz", "saio"]

    /// Notes what the track has; the handlers of its metadata come later and are not meant.
    mutating func didFind(handler: UInt32) {
        guard !isVideo, !isAudio else { return }
        (isAudio, isVideo) = (handler == 0x736F_756E, handler == 0x7669_6465)
    }

    /// Notes where a box of the track is.
    mutating func add(_ type: String, _ content: Range<Int>) {
        if Self.unusual.contains(type) { isUnusual = true }
        guard let table = Table(rawValue: type) else { return }
        if boxes.updateValue(content, forKey: table) != nil { isUnusual = true }
    }
}
