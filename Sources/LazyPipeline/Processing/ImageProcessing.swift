internal import LazyLoading
public import LazyMedia

/// Processes images frame by frame, stills and animations.
///
/// Processors with the same `identifier` count as the same work, in caches and when requests are
/// coalesced. Called on any thread. One of one's own needs an identifier and `process(_:)`:
///
/// ```swift
/// struct Negative: ImageProcessing {
///     let identifier = "com.example/negative"
///     func process(_ bitmap: Bitmap) throws -> Bitmap {
///         try Bitmap(size: bitmap.size, isOpaque: bitmap.isOpaque) { rows in
///             bitmap.withBytes { bytes in
///                 for place in bytes.indices {
///                     rows[place] = place % 4 == 3 ? bytes[place] : ~bytes[place]
///                 }
///             }
///         }
///     }
/// }
/// ```
///
/// Each of the two `process` methods calls the other by default: a processor implements one of them.
public protocol ImageProcessing: Sendable {
    /// The name and parameters, such as `lazyimg/resize?s=320x,fit=cover`.
    var identifier: String { get }

    /// The output size for frames of a size; pure, and the same for all frames of a sequence.
    ///
    /// By default that of the processed poster, so that only animations whose poster is not a frame
    /// need it, and limits that are to be checked before the work.
    func outputSize(for size: PixelSize) -> PixelSize

    /// Processes one frame; blocks, and is called on a thread pool.
    ///
    /// By default calls `process(_:)`; an error of another type becomes a `ProcessingError`.
    func process(_ bitmap: Bitmap, context: ProcessingContext) throws(ProcessingError) -> Bitmap

    /// Processes one frame, whatever its context: the short form for a processor of one's own.
    func process(_ bitmap: Bitmap) throws -> Bitmap

    /// Whether it gets frames in their own size, also for a request with a thumbnail, which is made after it.
    ///
    /// For what counts in pixels of the file. The result's size counts as that of the source.
    var precedesThumbnail: Bool { get }
}

extension ImageProcessing {
    /// The size unchanged; a still, and an animation whose poster is a frame, get that of the processed poster.
    public func outputSize(for size: PixelSize) -> PixelSize { size }

    /// Calls `process(_:)`.
    public func process(
        _ bitmap: Bitmap, context: ProcessingContext
    ) throws(ProcessingError) -> Bitmap {
        do { return try process(bitmap) } catch { throw ProcessingError(of: error) }
    }

    /// Processes a frame without a context.
    public func process(_ bitmap: Bitmap) throws -> Bitmap {
        try process(bitmap, context: ProcessingContext())
    }

    /// False: frames are scaled while they are decoded, then processed.
    public var precedesThumbnail: Bool { false }
}

// Caches and shared work know processors by their identifiers; so do comparisons.
extension ImageProcessing where Self: Equatable {
    /// Whether the identifiers are the same.
    public static func == (left: Self, right: Self) -> Bool { left.identifier == right.identifier }
}

extension ImageProcessing where Self: Hashable {
    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// Processes whole sequences: their frames and times.
///
/// The result is stored in the data cache as an animation. Previews and still images use
/// `process(_:context:)` as with any processor.
public protocol SequenceProcessing: ImageProcessing {
    /// The processed sequence; may decode frames of the source.
    func process(_ sequence: FrameSequence) async throws(MediaError) -> FrameSequence
}

/// The processors of the library; see the factory methods of `ImageProcessing`.
///
/// ```swift
/// let request = ImageRequest(url: url, processors: [.resize(width: 320), .circle()])
/// ```
public enum ImageProcessors {}

/// The context of a processed frame.
public struct ProcessingContext: Sendable {
    /// The timing of the frame, or nil for a poster that is not a frame of the sequence.
    public var timing: FrameTiming?
    /// Whether the frame belongs to a preview.
    public var isPreview: Bool

    /// Creates a context.
    public init(timing: FrameTiming? = nil, isPreview: Bool = false) {
        self.timing = timing
        self.isPreview = isPreview
    }
}

/// An error of a processor.
public struct ProcessingError: Error, Sendable, CustomStringConvertible {
    /// One sentence.
    public let message: String
    /// The underlying error, if any.
    public let underlying: (any Error)?
    /// The head of the response whose image was processed; see `PipelineError.head`.
    var head: ResponseHead?

    /// Creates an error.
    public init(_ message: String, underlying: (any Error)? = nil) {
        self.message = message
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }
}
