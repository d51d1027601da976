internal import LazyBase
internal import LazyMedia

/// The frames of a player, decoded at the size they are drawn at.
struct PlayerFrames {
    /// The media that is read, or the part of it that has arrived.
    private(set) var sequence: FrameSequence
    private var reader: any FrameReader
    private var size: PixelSize
    private let cancellation: CancellationFlag
    /// Whether as many threads decode as are of use.
    private(set) var hasAllThreads: Bool

    /// Without all threads, one decodes films of a usual size, in time on most machines.
    init(
        _ sequence: FrameSequence, size: PixelSize, _ cancellation: CancellationFlag,
        hasAllThreads: Bool = true
    ) throws(TerminalError) {
        self.sequence = sequence
        self.size = size
        self.cancellation = cancellation
        self.hasAllThreads = hasAllThreads
        reader = try Self.makeReader(sequence, size, cancellation, hasAllThreads)
    }

    /// Damage met so far.
    var warnings: [MediaWarning] { sequence.info.warnings + reader.warnings }

    /// Starts again with other media or another size.
    mutating func open(_ sequence: FrameSequence, size: PixelSize) throws(TerminalError) {
        self.sequence = sequence
        self.size = size
        reader = try Self.makeReader(sequence, size, cancellation, hasAllThreads)
    }

    /// Decodes by all threads from a frame on; quick where that is a keyframe.
    mutating func addThreads(at index: Int) throws(TerminalError) {
        hasAllThreads = true
        try open(sequence, size: size)
        try seek(toIndex: index)
    }

    /// The next frame, or nil at the end; the part of a download may end anywhere.
    func next(isPart: Bool) throws(TerminalError) -> Frame? {
        do throws(MediaError) { return try reader.nextFrame() } catch {
            if isPart, error.code != .cancelled { return nil }
            throw .media(error)
        }
    }

    /// Makes the frame on screen at a time the next one.
    func seek(toTime time: Duration) throws(TerminalError) {
        do throws(MediaError) { try reader.seek(toTime: time) } catch { throw .media(error) }
    }

    /// Makes the frame of a number the next one.
    func seek(toIndex index: Int) throws(TerminalError) {
        do throws(MediaError) { try reader.seek(toIndex: index) } catch { throw .media(error) }
    }

    /// The threads that decode: each keeps pictures of its own, so small ones get few.
    static func threads(for info: MediaInfo, cores: Int, all: Bool) -> Int {
        let count = info.size.pixelCount
        // A second thread takes 8 MB of a film of 720p.
        if !all, info.type.family == .video, !info.size.isLarge { return 1 }
        return min(cores, max(2, count / (640 * 360)))
    }

    private static func makeReader(
        _ sequence: FrameSequence, _ size: PixelSize, _ cancellation: CancellationFlag,
        _ hasAllThreads: Bool
    ) throws(TerminalError) -> any FrameReader {
        let threads = threads(
            for: sequence.info, cores: BlockingPool.coreCount, all: hasAllThreads)
        do throws(MediaError) {
            return try sequence.makeReader(
                ReaderOptions(
                    size: size, limits: sequence.limits, threads: threads,
                    cancellation: cancellation))
        } catch {
            throw .media(error)
        }
    }
}
