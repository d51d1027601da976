internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// What the options of a path ask for.
struct ServiceOptions: Hashable, Sendable {
    /// Where pictures lie on their canvas: sizes, crops, extensions, border, background.
    var placement = Placement()
    /// Degrees clockwise, a multiple of 90.
    var rotation = 0
    /// Whether pictures are mirrored after that.
    var isMirrored = false, isFlipped = false
    /// Whether pictures are upright by what their file says; nil for the service's rule.
    var autoRotates: Bool?
    /// Edges of one color that are removed.
    var edges: EdgeTrim?
    /// How opaque the watermark is, where it is, and how large.
    var watermark: Watermark?

    /// The quality, 1 to 100; 0 for the next rule.
    var quality = 0
    /// The quality of some formats.
    var formatQuality: [ServiceFormat: Int] = [:]
    /// The most bytes of the result; 0 for any number.
    var maxBytes = 0
    /// The format of the result.
    var format: ServiceFormat?
    /// The formats of sources that are sent as they are.
    var skipped: Set<ServiceFormat> = []
    /// Whether the source is sent as it is, whatever it is.
    var isRaw = false

    /// A text that makes a result of its own.
    var cacheBuster = ""
    /// The time after which there is no answer, in seconds since 1970; 0 and below for never.
    var expiry = 0
    /// The name of the file, without its extension.
    var fileName: String?
    /// Whether it is to be saved rather than shown; nil for the service's rule.
    var isAttachment: Bool?

    /// Bounds of the source, which only go down; nil for those of the service.
    var bounds = SourceBounds()

    /// Which timestamp of a film is shown, in seconds; nil for the service's rule.
    var videoSecond: Double?
    /// How many pages, or frames, are skipped; nil for the best picture.
    var page: Int?
    /// Whether an animation becomes a still.
    var isStill = false
    /// The picture of a film or of an animation.
    var poster: PosterChoice?
    /// An animation of the best parts.
    var animation: AnimationOptions?
    /// The parts of a clip, of which negative times count from its end.
    var segments: [Part] = []
    /// A sprite sheet.
    var sheet: SheetOptions?

    /// The presets that were used.
    var presets: [String] = []

    struct Watermark: Hashable, Sendable {
        var opacity: Double
        var isRepeated = false
        var anchor = Placement.Anchor()
        var scale = 0.0
    }

    struct SourceBounds: Hashable, Sendable {
        var megapixels: Double?
        var byteCount: Int?
        var frames: Int?
        var frameMegapixels: Double?
    }

    struct AnimationOptions: Hashable, Sendable {
        /// The length of the best parts together.
        var seconds: Double?
        var rate: Double?
        /// The time from one picture to the next, in place of the best parts; each is shown for a delay.
        var step: Double?
        var delay: Double?
        /// Whether the step is that with which so many frames come from all of the film.
        var isSpread = false
        var frames: Int?
        var width = 0, height = 0
        var fitting = Fitting.within
    }

    /// How pictures get a width and a height of their own.
    enum Fitting: Hashable, Sendable {
        /// They fit within them.
        case within
        /// The rest is black.
        case extended
        /// They fill them around a point, in shares of their sides.
        case filled(x: Double, y: Double)
    }

    struct SheetOptions: Hashable, Sendable {
        var columns = 10
        var rows: Int?
        var width: Int?, height: Int?
        var fitting = Fitting.within
        var interval: Double?
    }

    /// A part of a clip in seconds; the ends need not be in order before the length is known.
    struct Part: Hashable, Sendable {
        var start: Double
        /// Nil for the end of the clip.
        var end: Double?
    }
}
