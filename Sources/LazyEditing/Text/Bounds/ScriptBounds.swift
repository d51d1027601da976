/// The most that a script may ask of libass, which knows no bounds of its own.
///
/// The values are several times those of real subtitles: dialog has some hundred characters and two lines at
/// a time, typesetting and karaoke some hundred events of up to some kilobytes. What is within them is drawn
/// exactly as it is written.
enum ScriptBounds {
    /// Bytes of masks that are drawn for one time: those of every event, with its border, shadow and blur.
    ///
    /// The estimate of a large sign with a border on 1080p is some megabyte; it is up to ten times what is used.
    static let shownBytes = 256 << 20
    /// Bytes of masks for one event.
    static let eventBytes = 96 << 20
    /// Events that are shown at one time, whose places are compared with each other.
    static let shownEvents = 1000
    /// Characters that are shown at one time.
    static let shownCharacters = 50_000
    /// Points of drawings that are shown at one time.
    static let shownPoints = 30_000
    /// Bytes of text and tags that are read for one time.
    static let shownText = 2 << 20

    /// Characters of one event; a page of credits has some two thousand.
    static let characters = 4096
    /// Points in the drawings of one event; traced logos have some thousand.
    static let points = 10_000
    /// Bytes of one event with its tags and drawings.
    static let eventText = 1 << 18
    /// Marks on one character, as in the Stream-Safe Text Format of UAX #15: shaping takes their square.
    static let marks = 30

    /// Styles of one script: each event looks for its own.
    static let styles = 1000
    /// Bytes of a name: of a style, or of a font.
    static let name = 256

    /// Lines of the size that a script is written for; 8K has 4320.
    static let resolution = 16...16_384.0
    /// The size of a font in heights of the picture.
    static let fontSize = 4.0
    /// Percent of a font's size.
    static let scale = 0...10_000.0
    /// The width of borders, and of the blur, in heights of the picture.
    static let border = 0.25
    /// The standard deviation of a blur, which libass bounds, too.
    static let blur = 100.0
    /// Passes of the blur of edges; scripts use up to ten.
    static let edgePasses = 0...20.0
    /// Shear in heights of a line.
    static let shear = -20...20.0
    /// Degrees, coordinates, times and whatever costs nothing.
    static let harmless = -1e7...1e7
}
