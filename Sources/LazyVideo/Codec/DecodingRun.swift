internal import CFFmpeg

/// What is decoded between two seeks.
struct DecodingRun {
    /// Where packets begin.
    enum Beginning {
        case start
        case entry(PacketIndex.Entry)
        /// The keyframe that a demuxer seeks to for a time.
        case time(Int64)
    }

    private(set) var beginning = Beginning.start
    /// Whether what was read refers to nothing before it, so that errors are damage.
    private(set) var isClean = true
    // Whether no packet was read.
    private var isEmpty = true
    /// The time of the last picture that was returned; nil before the first.
    private(set) var last: Int64?
    /// How often damage was found; of packets that were counted before, too.
    var damages = 0
    var isDamaged: Bool { damages > 0 }
    /// The errors that the decoder had logged before the run, or when they were last looked at.
    var errors = 0
    /// Whether a packet waits, with which threads begin again.
    private(set) var isResuming = false
    // Keyframes whose pictures are not out yet.
    private var pending: [PacketIndex.Entry] = []
    // The damaged packets when the last clean keyframe was read.
    private var damaged: Int?

    /// Begins another one.
    mutating func begin(at beginning: Beginning) {
        let errors = errors
        self = DecodingRun()
        (self.beginning, self.errors) = (beginning, errors)
        if case .start = beginning { return }
        isClean = false
    }

    /// A packet was read; `key` where nothing before it matters to it and all that follow.
    mutating func didRead(_ key: PacketIndex.Entry?) {
        defer { isEmpty = false }
        guard let key else { return }
        if isEmpty { isClean = true }
        if pending.count > 16 { pending.removeFirst() }
        pending.append(key)
    }

    /// A picture was returned; what comes after that of a clean keyframe can be decoded from there.
    mutating func didReturn(_ picture: Picture) {
        last = picture.ticks
        guard let place = pending.firstIndex(where: { $0.pts == picture.ticks }) else { return }
        if !isDamaged { beginning = .entry(pending[place]) }
        isClean = true
        pending.removeSubrange(...place)
    }

    /// Whether all packets since the last clean keyframe were sound, behind the damage.
    mutating func mustResume(after count: Int) -> Bool {
        isResuming = count > 0 && damaged == count
        damaged = count
        return isResuming
    }

    /// Threads began again.
    mutating func didResume() {
        guard let key = pending.last else { return }
        begin(at: .entry(key))
        errors = 0
        didRead(key)
    }
}
