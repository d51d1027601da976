internal import LazyBytes
internal import LazyMedia

/// The frames of a player, decoded at the size they are drawn at.
struct FrameSource {
    /// The media that is read, or the part of it that has arrived.
    private(set) var sequence: FrameSequence
    private var reader: any FrameReader
    private let cancellation: CancellationFlag

    init(
        _ sequence: FrameSequence, size: PixelSize, _ cancellation: CancellationFlag
    ) throws(TerminalError) {
        self.sequence = sequence
        self.cancellation = cancellation
        reader = try Self.makeReader(sequence, size, cancellation)
    }

    /// Damage met so far.
    var warnings: [MediaWarning] { sequence.info.warnings + reader.warnings }

    /// Starts again with other media or another size.
    mutating func open(_ sequence: FrameSequence, size: PixelSize) throws(TerminalError) {
        self.sequence = sequence
        reader = try Self.makeReader(sequence, size, cancellation)
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
    static func threads(for size: PixelSize, cores: Int) -> Int {
        min(cores, max(2, size.pixelCount / (640 * 360)))
    }

    private static func makeReader(
        _ sequence: FrameSequence, _ size: PixelSize, _ cancellation: CancellationFlag
    ) throws(TerminalError) -> any FrameReader {
        do throws(MediaError) {
            return try sequence.makeReader(
                ReaderOptions(
                    size: size, limits: sequence.limits,
                    threads: threads(for: sequence.info.size, cores: BlockingPool.coreCount),
                    cancellation: cancellation))
        } catch {
            throw .media(error)
        }
    }
}
