/// The formats of subtitles whose text has tags as HTML has them.
///
/// There is one reader for each: the texts of files and of tracks become the same lines.
package enum CueFormat: Sendable {
    /// SubRip, which is read as FFmpeg reads it.
    case subRip
    /// WebVTT, with the settings of its cues.
    case webVTT

    /// The sections before the lines: a picture of 384x288, which libass scales, and FFmpeg's style.
    package static let header = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: \(Int(width))
        PlayResY: \(Int(height))
        ScaledBorderAndShadow: yes

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, \
        Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, \
        Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,\(style),10,10,10,0
        Style: \(CuePlace.style),\(style),0,0,0,0

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """
    private static let style =
        "Arial,\(Int(lineHeight)),&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2"

    static let width = 384.0
    static let height = 288.0
    static let lineHeight = 16.0

    /// A cue as a line of a track.
    ///
    /// `number` is its place in the file, `settings` what follows its times. Nil where nothing is shown.
    package func line(
        _ text: ArraySlice<UInt8>, _ settings: ArraySlice<UInt8> = [], number: Int, start: Int64,
        duration: Int64
    ) -> SubtitleTrack.Line? {
        let words: [UInt8]
        var place = CuePlace()
        switch self {
        case .subRip:
            words = SubRipMarkup.words(text)
            place = CuePlace(subRip: settings)
        case .webVTT:
            let markup = WebVTTMarkup(text)
            words = markup.words
            if let settings = WebVTTSettings(settings) {
                place = settings.place(
                    lineCount: markup.lineCount, isRightToLeft: markup.isRightToLeft)
            }
        }
        guard !words.isEmpty, duration > 0 else { return nil }
        let margins = "\(place.left),\(place.right),\(place.vertical)"
        let fields = "\(number),0,\(place.style),,\(margins),,\(place.tags)"
        return SubtitleTrack.Line(
            start: start, duration: duration,
            text: fields + String(decoding: words, as: UTF8.self))
    }
}

/// Where a cue is drawn, in the terms of ASS.
struct CuePlace: Equatable {
    /// The style of cues that have a place of their own: without margins.
    static let style = "Cue"

    var style = "Default"
    var tags = ""
    /// The margins; 0 means those of the style.
    var left = 0
    var right = 0
    var vertical = 0

    /// At the bottom, in the middle.
    init() {}
}
