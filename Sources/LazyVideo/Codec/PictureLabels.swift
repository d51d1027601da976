/// What the container says of pictures inside the decoder, and the time of one without it.
///
/// Decoders disagree with containers about keyframes (libvpx reports every picture as one), and seeking depends on the
/// container.
struct PictureLabels {
    // Whether packets inside the decoder were keyframes, by their times.
    private var keyMarks: [Int64: Bool] = [:]
    private var lastTicks: Int64?
    private var lastDuration: Int64 = 1
    private let start: Int64

    /// Makes labels of pictures from a start on, whose time counts where the pictures have none.
    init(from start: Int64) { self.start = start }

    /// Remembers a packet that is sent to the decoder.
    mutating func mark(_ packet: Packet) {
        guard let pts = packet.pts else { return }
        // Pictures that never come out leave theirs behind.
        if keyMarks.count > 1024 { keyMarks = [:] }
        keyMarks[pts] = packet.isKey
    }

    /// Writes its time, and whether it is a keyframe, on a decoded picture.
    mutating func label(_ picture: Picture) {
        let next = lastTicks.map { $0.addingReportingOverflow(lastDuration).partialValue }
        picture.ticks = picture.pts ?? next ?? start
        picture.isKey = keyMarks.removeValue(forKey: picture.ticks) ?? picture.isCodedAlone
        lastTicks = picture.ticks
        if picture.duration > 0 { lastDuration = picture.duration }
    }
}
