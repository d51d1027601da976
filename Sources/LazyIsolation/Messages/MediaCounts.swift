internal import LazyBase
internal import LazyMedia

/// What media may find out about itself while it is read: what its header says is replaced then.
struct MediaCounts: Hashable {
    var frameCount: Int?
    var duration: Duration?
    var start: Duration
    var bitRate: Int64?
    var warnings: [MediaWarning]

    init(
        frameCount: Int?, duration: Duration?, start: Duration, bitRate: Int64?,
        warnings: [MediaWarning]
    ) {
        (self.frameCount, self.duration, self.start) = (frameCount, duration, start)
        (self.bitRate, self.warnings) = (bitRate, warnings)
    }

    init(_ info: MediaInfo) {
        self.init(
            frameCount: info.frameCount, duration: info.duration, start: info.start,
            bitRate: info.bitRate, warnings: info.warnings)
    }
}

extension MediaInfo {
    /// The same with other counts.
    func with(_ counts: MediaCounts) -> MediaInfo {
        var info = self
        (info.frameCount, info.duration) = (counts.frameCount, counts.duration)
        (info.start, info.bitRate) = (counts.start, counts.bitRate)
        info.warnings = counts.warnings
        if counts.frameCount != nil { info.estimatedFrameCount = nil }
        return info
    }
}

extension MediaCounts: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(frameCount)
        writer.put(duration)
        writer.put(start)
        writer.put(bitRate)
        writer.put(warnings)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(
            frameCount: try reader.field(), duration: try reader.field(),
            start: try reader.field(), bitRate: try reader.field(),
            warnings: try reader.field())
        guard frameCount ?? 0 >= 0, duration ?? .zero >= .zero, start >= .zero else {
            throw GrammarError("A message has a count that is none.")
        }
    }
}

/// The counts of open media of which the other side of a connection knows.
final class KnownCounts: Sendable {
    private let known: Locked<MediaCounts>

    init(_ info: MediaInfo) { known = Locked(MediaCounts(info)) }

    var value: MediaCounts {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }

    /// The counts where they are not those that are known; they are known then.
    func news(_ info: MediaInfo) -> MediaCounts? {
        let counts = MediaCounts(info)
        return known.withLock { known in
            guard known != counts else { return nil }
            known = counts
            return counts
        }
    }
}
