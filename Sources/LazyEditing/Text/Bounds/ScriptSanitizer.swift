internal import LazyMedia

/// Makes of subtitles of any origin a script that can be drawn in bounded memory and time.
///
/// libass draws whatever size a script asks for, and knows neither limits nor cancellation. So nothing
/// reaches it that did not pass here: the header and every event are rewritten, with numbers within
/// `ScriptBounds`, and events beyond what can be shown at a time are left out.
struct ScriptSanitizer {
    /// The script.
    private(set) var header: String
    /// The events that are drawn, by the time at which they begin.
    private(set) var lines: [SubtitleTrack.Line] = []
    /// How many events are not drawn.
    private(set) var leftOut = 0

    /// What is to be said about them.
    var warning: MediaWarning? {
        guard leftOut > 0 else { return nil }
        let events = leftOut == 1 ? "One text that is" : "\(leftOut) texts that are"
        return MediaWarning(
            .note, "\(events) too large, or too many at a time, to be drawn, left out.")
    }

    /// Reads the subtitles of a track for pictures of a size.
    init(_ track: SubtitleTrack, for size: PixelSize) {
        self.init(
            ScriptLine.lines(of: track.header), track.lines.lazy.compactMap { ScriptEvent($0) },
            size)
    }

    /// Reads a script in the format ASS or SSA.
    init(script: String, for size: PixelSize) {
        let lines = ScriptLine.lines(of: script)
        var format = Self.format
        var events: [ScriptEvent] = []
        for line in lines where line.section == .events {
            if line.key == "Format" {
                format = line.value.split(separator: .comma).map { $0.name.lowercased() }
            } else if line.key == "Dialogue", events.count < SubtitleTrack.maxLines,
                let event = ScriptEvent(line.value, format: format)
            {
                events.append(event)
            }
        }
        self.init(lines, events, size)
    }

    private static let format = [
        "layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text",
    ]

    private init(_ lines: [ScriptLine], _ events: some Sequence<ScriptEvent>, _ size: PixelSize) {
        let header = ScriptHeader(lines, ScriptScale(picture: size))
        self.header = header.text
        var shown = ShownEvents()
        let sorted = events.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }
        for (offset, event) in sorted where event.duration > 0 {
            let style = event.style.styleName
            let effect = event.effect.name
            let text = EventText(
                Array(event.text), style: style, styles: header.styles, header.scale,
                isWrapped: header.isWrapped && !effect.lowercased().hasPrefix("banner"))
            let end = event.start + event.duration
            guard shown.add(from: event.start, to: end, text.cost) else {
                leftOut += 1
                continue
            }
            // libass places events of one layer in the order of the numbers that the file gives them.
            let number = event.number.map { Self.written($0) } ?? "\(offset)"
            let margins = event.margins.map(Self.written).joined(separator: ",")
            let fields = "\(number),\(Self.written(event.layer)),\(style),,\(margins),\(effect),"
            self.lines.append(
                .init(
                    start: event.start, duration: event.duration,
                    text: fields + String(decoding: text.text, as: UTF8.self)))
        }
    }

    private static func written(_ number: ScriptNumber?) -> String {
        String(Int(number?.clamped(to: ScriptBounds.harmless).value ?? 0))
    }
}
