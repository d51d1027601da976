internal import LazyBase
internal import LazyMedia

/// A reader of a sequence, opened at the first request.
///
/// Unchecked: a store decodes one frame at a time, so jobs use it one after the other.
final class FrameSource: @unchecked Sendable {
    private let sequence: FrameSequence
    private let size: PixelSize?
    private let cancellation = CancellationFlag()
    private var reader: (any FrameReader)?
    private var next = 0
    private var hasRead = false

    init(_ sequence: FrameSequence, size: PixelSize?) {
        self.sequence = sequence
        self.size = size
    }

    deinit { cancellation.cancel() }

    /// Cancels reading, within one packet.
    func cancel() { cancellation.cancel() }

    /// A frame, or nil after the end.
    ///
    /// Blocks while it decodes.
    func read(_ index: Int) -> Result<Frame?, MediaError> {
        do throws(MediaError) {
            return .success(try frame(index))
        } catch {
            reader = nil
            // A reader of an endless loop exhausts its decoding budget at some time; the next one has
            // a new budget.
            guard error.code == .limitExceeded, hasRead else { return .failure(error) }
            hasRead = false
            return read(index)
        }
    }

    private func frame(_ index: Int) throws(MediaError) -> Frame? {
        let reader = try openReader()
        if next != index { try reader.seek(toIndex: index) }
        // Unknown until this read has succeeded.
        next = -1
        let frame = try reader.nextFrame()
        next = frame == nil ? -1 : index + 1
        hasRead = frame != nil
        return frame
    }

    private func openReader() throws(MediaError) -> any FrameReader {
        if let reader { return reader }
        next = 0
        let reader = try sequence.makeReader(
            ReaderOptions(
                size: size, limits: sequence.limits, delayRule: sequence.delayRule,
                cancellation: cancellation))
        self.reader = reader
        return reader
    }
}
