internal import LazyBase
public import LazyMedia

/// Something that is drawn over every picture, after it is scaled and padded.
///
/// Text and subtitles are drawn by libass, which is loaded for the first picture with text.
public enum Overlay: Hashable, Sendable {
    /// A text, which may contain the time.
    case text(TextOverlay)
    /// A picture, such as a watermark.
    case picture(PictureOverlay)
    /// Subtitles, by the time of the source.
    case subtitles(SubtitleOverlay)
    /// A picture or subtitles in a file that is still to be read.
    case file(File)

    /// The overlay in one line; equal lines draw equal pixels.
    package var identifier: String {
        switch self {
        case .text(let text): "text=\(text.identifier)"
        case .picture(let picture): "picture=\(picture.identifier)"
        case .subtitles(let subtitles): "subtitles=\(subtitles.identifier)"
        case .file(let file): "file=\(file.identifier)"
        }
    }
}

/// A text on every picture.
public struct TextOverlay: Hashable, Sendable {
    /// The text; `{time}` is the time of the frame in the source (00:01:02.500), `{clock}` the same in
    /// seconds (0:01:02), `{frame}` its number, and `{name}` the name of the input (`ClipEdit.named(_:)`).
    public var template: String
    /// Where it is; points and smart gravities mean the center.
    public var gravity: Gravity
    /// The height of a line as a share of the picture's height; at least 10 pixels, otherwise at most the picture's width.
    ///
    /// Lines are wrapped at spaces, and what is still larger than the picture is clipped.
    public var height: Double
    /// The color of the letters.
    public var color: PixelColor
    /// The color of the box behind them; nil for letters with an outline.
    public var box: PixelColor?
    /// Whether fields are filled in; not in texts of files, which may have braces.
    package var hasFields = true
    /// What `{name}` stands for; nil where it is not known, which leaves the field as it is.
    package var name: String?

    /// Makes a text, white on half transparent black in the lower left corner by default.
    public init(
        _ template: String, gravity: Gravity = .southWest, height: Double = 0.06,
        color: PixelColor = .white,
        box: PixelColor? = PixelColor(red: 0, green: 0, blue: 0, alpha: 128)
    ) {
        self.template = template
        self.gravity = gravity
        self.height = height
        self.color = color
        self.box = box
    }

    var identifier: String {
        // Any byte may be in a template.
        let text = [template, name].compactMap { $0 }
            .map { $0.utf8.map { String($0, radix: 16) }.joined(separator: ".") }
            .joined(separator: "/")
        let look = "\(gravity)/\(height)/\(color)/\(box.map { "\($0)" } ?? "outline")"
        return "\(text)/\(look)\(hasFields ? "" : "/literal")"
    }
}

/// A picture on every picture, or several that follow each other.
public struct PictureOverlay: Hashable, Sendable {
    /// The picture, or the first one; drawn at its own size unless another is given, and never larger than fits.
    public let picture: Bitmap
    /// The frames of an overlay that moves, repeated by the times of the result; empty for one that does not.
    public let frames: [Frame]
    /// When each of these ends, in nanoseconds.
    private let ends: [Int64]
    /// How opaque it is, 0 to 1.
    public var opacity: Double
    /// Where it is, and how large.
    package var layout: Layout
    /// What of its file is not drawn.
    package var warnings: [MediaWarning] = []
    private let digest: String

    /// Where a picture is on others, and how large.
    package enum Layout: Hashable, Sendable {
        /// Whole, so many pixels from the edges: with a width that is a share of theirs, or its own size.
        case whole(Gravity, margin: Int, size: Double?)
        /// As services of pictures have it.
        case arranged(Arrangement)
    }

    /// Where a picture is on others of any size, as services of pictures have it; it is clipped at the edges.
    package struct Arrangement: Hashable, Sendable {
        /// The place; of repeated pictures the offset is the space between them.
        package var anchor: Placement.Anchor
        /// The factor of offsets in pixels.
        package var density: Double
        /// The share of both sides that it fits in, at its ratio; 0 for its own size.
        package var share: Double
        /// Whether copies cover everything, one of them in the middle.
        package var isRepeated: Bool

        /// Makes an arrangement.
        package init(
            _ anchor: Placement.Anchor, density: Double = 1, share: Double = 0,
            isRepeated: Bool = false
        ) {
            (self.anchor, self.density) = (anchor, density)
            (self.share, self.isRepeated) = (share, isRepeated)
        }
    }

    /// Makes an overlay, opaque and in the lower right corner by default.
    ///
    /// It is so many pixels from the edges, has the width of a share of the picture below (nil: its own size), and is never
    /// larger than fits. With several frames, of which only pictures and durations count, it moves, and the picture is the
    /// first of these.
    public init(
        _ picture: Bitmap, frames: [Frame] = [], gravity: Gravity = .southEast,
        opacity: Double = 1, margin: Int = 0, size: Double? = nil
    ) {
        let durations = frames.prefix(Self.mostFrames).map(\.duration)
        let moves = durations.count > 1 && durations.allSatisfy { $0 > .zero }
        self.frames = moves ? Array(frames.prefix(Self.mostFrames)) : []
        var end: Int64 = 0
        ends = self.frames.indices.map { number in
            end += min(durations[number], Self.longestFrame).nanoseconds
            return end
        }
        self.picture = frames.first?.bitmap ?? picture
        self.opacity = opacity
        layout = .whole(gravity, margin: margin, size: size)
        let later = zip(self.frames, ends).map { "\(Self.digest($0.bitmap))-\($1)" }
        digest =
            later.isEmpty
            ? Self.digest(self.picture)
            : SHA256.hash(later.joined(separator: ",").utf8).hexadecimal()
    }

    // So that no sum of durations overflows.
    private static let mostFrames = 1 << 16
    private static let longestFrame = Duration.seconds(3600)

    private static func digest(_ picture: Bitmap) -> String {
        picture.withBytes { SHA256.hash($0).hexadecimal() } + "-\(picture.size)"
    }

    /// Whether both draw the same.
    public static func == (left: PictureOverlay, right: PictureOverlay) -> Bool {
        left.identifier == right.identifier
    }

    /// Hashes what is drawn.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

    /// What is drawn in one line.
    package var identifier: String {
        switch layout {
        case .whole(let gravity, let margin, let size):
            return "\(digest)/\(gravity)/\(opacity)/\(margin)" + (size.map { "/\($0)" } ?? "")
        case .arranged(let arrangement):
            let (anchor, density) = (arrangement.anchor, arrangement.density)
            return
                "\(digest)/\(anchor.gravity)/\(opacity)/\(anchor.x),\(anchor.y)*\(density)"
                + "/\(arrangement.share)\(arrangement.isRepeated ? "/repeated" : "")"
        }
    }

    /// What is drawn at a time of the result: the number of the frame and its picture.
    func picture(at time: Duration) -> (number: Int, bitmap: Bitmap) {
        guard let length = ends.last else { return (0, picture) }
        let rest = max(0, time.nanoseconds) % length
        let number = ends.firstIndex { rest < $0 } ?? 0
        return (number, frames[number].bitmap)
    }
}

extension Overlay {
    /// Whether it moves by the times of the result; others are drawn by those of the source.
    var moves: Bool {
        if case .picture(let picture) = self { !picture.frames.isEmpty } else { false }
    }

    /// The same for one picture: what moves is as it begins.
    var still: Overlay {
        guard case .picture(let moving) = self, moves else { return self }
        var picture = PictureOverlay(moving.picture, opacity: moving.opacity)
        (picture.layout, picture.warnings) = (moving.layout, moving.warnings)
        return .picture(picture)
    }
}

/// Subtitles of a file of their own, or of a track beside the frames.
public struct SubtitleOverlay: Hashable, Sendable {
    enum Source: Hashable {
        case content(TextContent)
        /// A track of the sequence that is edited, which is read when the edit is applied.
        case track(TrackChoice)
    }
    let source: Source
    /// What was guessed or left out when a file was read.
    let warnings: [MediaWarning]

    /// Reads the text of a SubRip, WebVTT or ASS file; throws `.unsupported` for another.
    public init(_ file: String) throws(MediaError) { try self.init(file, []) }

    /// Reads the bytes of such a file, in UTF-8, UTF-16 or another encoding.
    ///
    /// `encoding` is one of iconv's names; without it and a mark, what is not UTF-8 is a guess, of which the frames'
    /// warnings tell. `fileName` may help it by a language, as `film.ru.srt` does.
    public init(
        bytes: [UInt8], encoding: String? = nil, fileName: String = ""
    ) throws(MediaError) {
        let file = try SubtitleText(bytes, encoding: encoding, fileName: fileName)
        try self.init(file.text, file.warnings)
    }

    private init(_ file: String, _ warnings: [MediaWarning]) throws(MediaError) {
        switch try SubtitleFile(file) {
        case .script(let script):
            (source, self.warnings) = (.content(.script(script)), warnings)
        case .track(let track):
            (source, self.warnings) = (.content(.track(track)), warnings + track.warnings)
        }
    }

    /// The subtitles of a track of the sequence itself.
    ///
    /// `FrameSequence.edited` reads it, and throws where there is none or its subtitles are pictures.
    public init(track: TrackChoice) { (source, warnings) = (.track(track), []) }

    /// Subtitles that were read already.
    public init(_ track: SubtitleTrack) {
        (source, warnings) = (.content(.track(track)), track.warnings)
    }

    /// The track whose subtitles are drawn; nil for others.
    public var track: TrackChoice? {
        if case .track(let choice) = source { choice } else { nil }
    }

    /// What is drawn in one word.
    package var identifier: String {
        switch source {
        case .content(.script(let script)): SHA256.hash(script.utf8).hexadecimal()
        case .content(.track(let track)): "lines=\(track.digest)"
        case .track(let choice): choice.description
        }
    }
}

extension SubtitleTrack {
    fileprivate var digest: String {
        var text = header
        for line in lines { text += "\0\(line.start),\(line.duration),\(line.text)" }
        for font in fonts { text += "\0\(SHA256.hash(font.bytes).hexadecimal())" }
        return SHA256.hash(text.utf8).hexadecimal()
    }
}
