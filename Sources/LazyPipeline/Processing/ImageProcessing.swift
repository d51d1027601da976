public import LazyMedia

/// Changes pictures frame by frame; stills and animations alike.
///
/// Two processors of one `identifier` are taken for the same work, in caches and when requests are
/// coalesced. Used by any thread at any time.
public protocol ImageProcessing: Sendable {
    /// What it does with which parameters, such as `lazyimg/resize?s=320x,fit=cover`.
    var identifier: String { get }

    /// The size of what comes out for frames of a size; pure, and the same for all of a sequence.
    func outputSize(for size: PixelSize) -> PixelSize

    /// Changes one frame; blocks while it works, on a pool for that.
    func process(_ bitmap: Bitmap, context: ProcessingContext) throws(ProcessingError) -> Bitmap
}

/// Changes whole sequences: which frames there are, and when they are shown.
///
/// The result is kept in the data cache as an animation. Previews and single pictures go through
/// `process(_:context:)` as with any processor.
public protocol SequenceProcessing: ImageProcessing {
    /// The sequence made of another; may decode what it needs to know, and suspends meanwhile.
    func process(_ sequence: FrameSequence) async throws(MediaError) -> FrameSequence
}

/// The processors that come with the library; see the short forms of `ImageProcessing`.
///
/// ```swift
/// let request = ImageRequest(url: url, processors: [.resize(width: 320), .circle()])
/// ```
public enum ImageProcessors {}

/// What a processor may want to know.
public struct ProcessingContext: Sendable {
    /// The place of the frame in its sequence, or nil for a poster that is none of its frames.
    public var timing: FrameTiming?
    /// Whether the frame is of a preview.
    public var isPreview: Bool

    /// Makes a context.
    public init(timing: FrameTiming? = nil, isPreview: Bool = false) {
        self.timing = timing
        self.isPreview = isPreview
    }
}

/// Why a processor could not do its work.
public struct ProcessingError: Error, Sendable, CustomStringConvertible {
    /// One sentence.
    public let message: String
    /// The error below, where there is one.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(_ message: String, underlying: (any Error)? = nil) {
        self.message = message
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }
}
