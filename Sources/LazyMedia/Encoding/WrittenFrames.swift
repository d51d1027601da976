internal import LazyBase

/// A count of the frames in a file, which the encoder tells that wrote it.
///
/// Formats merge equal frames, leave out frames that are too short, and split those that are too long.
public final class WrittenFrames: Sendable {
    private let told = Locked<Int?>(nil)

    /// Makes a count that nobody has told.
    public init() {}

    /// The number of frames in the file; nil where the encoder does not tell it.
    public var count: Int? { told.withLock { $0 } }

    /// Tells the number of frames in the file.
    public func tell(_ count: Int) { told.withLock { $0 = count } }
}
