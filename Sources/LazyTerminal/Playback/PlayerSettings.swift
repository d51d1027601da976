public import LazyBytes
internal import LazyEditing
public import LazyMedia

/// How a terminal plays.
public struct PlayerSettings: Sendable {
    /// How often to play.
    public var looping: Looping
    /// The size to draw in; nil for that of the window.
    public var grid: CellGrid?
    /// What the terminal can show.
    public var traits: TerminalTraits
    /// How pictures are drawn; nil for the best protocol that the terminal understands.
    public var terminalProtocol: TerminalProtocol?
    /// Whether to draw every frame as fast as possible, without a clock.
    public var isUntimed: Bool
    /// The time at which each play begins: with the frame on screen then.
    public var start: Duration
    /// The time at which each play ends; nil for the end of the media.
    public var end: Duration?
    /// Ends playing from another thread; `play` then throws `.media(.cancelled)`.
    public var cancellation: CancellationFlag?

    /// Makes settings.
    public init(
        looping: Looping = .asAuthored, grid: CellGrid? = nil,
        traits: TerminalTraits = .ofProcess, terminalProtocol: TerminalProtocol? = nil,
        isUntimed: Bool = false, start: Duration = .zero, end: Duration? = nil,
        cancellation: CancellationFlag? = nil
    ) {
        self.looping = looping
        self.grid = grid
        self.traits = traits
        self.terminalProtocol = terminalProtocol
        self.isUntimed = isUntimed
        self.start = start
        self.end = end
        self.cancellation = cancellation
    }

    /// The part that each play shows.
    var part: ClipPart { ClipPart(start: start, end: end) }

    /// Makes the canvas for media on a screen, or on none.
    func makeCanvas(for sequence: FrameSequence, isOnScreen: Bool) -> any FrameDrawing {
        let placement: CanvasPlacement =
            sequence.isStill || !traits.movesCursor ? .inline : isOnScreen ? .center : .corner
        return (terminalProtocol ?? .best(for: traits)).makeCanvas(
            grid ?? TerminalScreen.grid ?? .standard, placement, traits)
    }
}
