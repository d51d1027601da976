/// What the container says of pictures inside the decoder, and the time of one without it.
///
/// Decoders disagree with containers about keyframes (libvpx reports every picture as one), and seeking depends on the
/// container.
struct PictureLabels {
    // Whether packets inside the decoder were keyframes, by their times.
    private var keyMarks: [Int64: Bool] = [:]
    // The times of packets whose pictures have to come out in this order.
    private var awaited: [Int64] = []
    private var lastTicks: Int64?
    private var lastDuration: Int64 = 1
    private let start: Int64

    /// Makes labels of pictures from a start on, whose time counts where the pictures have none.
    init(from start: Int64) { self.start = start }

    /// Remembers a packet that is sent to the decoder, and whether its picture has to come out behind those before it.
    mutating func mark(_ packet: Packet, isAwaited: Bool) {
        guard let pts = packet.pts else { return }
        if isAwaited { awaited.append(pts) }
        // Pictures that never come out leave theirs behind.
        if keyMarks.count > 1024 { keyMarks = [:] }
        keyMarks[pts] = packet.isKey
    }

    /// The times of the pictures before one, or of all at the end, that should have come out and did not.
    mutating func lost(before picture: Picture?) -> ArraySlice<Int64> {
        guard !awaited.isEmpty else { return [] }
        guard let place = picture.map({ awaited.firstIndex(of: $0.ticks) }) ?? awaited.count else {
            return []
        }
        defer { awaited.removeSubrange(..<min(awaited.count, place + 1)) }
        return awaited[..<place]
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
