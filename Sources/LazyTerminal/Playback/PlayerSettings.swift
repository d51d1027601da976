public import LazyBase
internal import LazyEditing
public import LazyMedia

/// How a terminal plays.
public struct PlayerSettings: Sendable {
    /// What writes PNG, for terminals that take it and for frames that a key saves.
    public var encoders: EncoderRegistry
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
    /// The speed at which it begins to play, above 0; keys change it.
    public var speed = 1.0
    /// The time at which each play begins: with the frame on screen then.
    public var start: Duration
    /// The time at which each play ends; nil for the end of the media.
    public var end: Duration?
    /// Ends playing from another thread; `play` then throws `.media(.cancelled)`.
    public var cancellation: CancellationFlag?
    /// Whether the last line of a screen shows the position.
    public var showsStatus = true
    /// The name of the media, for that line and for the names of saved frames.
    public var title: String?
    /// The number of the media among several from 1, and how many there are.
    public var place: (number: Int, count: Int)?
    /// What stands around media that is made for this size of the window, as bytes that write it.
    ///
    /// They are written when the screen has been cleared. Playing ends when the window changes.
    public var captions: String?
    /// Reads the file of the media, for terminals that play files by themselves.
    public var file: (@Sendable () -> [UInt8]?)?

    /// Makes settings.
    public init(
        encoders: EncoderRegistry, looping: Looping = .asAuthored, grid: CellGrid? = nil,
        traits: TerminalTraits = .ofProcess, terminalProtocol: TerminalProtocol? = nil,
        isUntimed: Bool = false, start: Duration = .zero, end: Duration? = nil,
        cancellation: CancellationFlag? = nil
    ) {
        self.encoders = encoders
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

    /// The protocol that draws.
    var chosenProtocol: TerminalProtocol { terminalProtocol ?? .best(for: traits) }

    /// The grid of the terminal.
    var wholeGrid: CellGrid { grid ?? TerminalScreen.grid ?? .standard }

    /// The fewest lines of a screen that has a line for the position.
    private static let fewestLines = 4

    /// Makes the canvas for media on a screen, or on none; `hasStatus` leaves the last line free.
    func makeCanvas(
        for sequence: FrameSequence, isOnScreen: Bool, hasStatus: Bool
    ) -> any FrameDrawing {
        let placement: CanvasPlacement =
            sequence.isStill || !traits.movesCursor ? .inline : isOnScreen ? .center : .corner
        return chosenProtocol.makeCanvas(
            hasStatus ? wholeGrid.shorter(by: 1) : wholeGrid, placement, traits, encoders: encoders)
    }

    /// Whether there is a line for the position.
    var hasStatusLine: Bool { showsStatus && wholeGrid.lines >= Self.fewestLines }
}
