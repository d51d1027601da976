package import LazyMedia

/// A text, how it looks and where it is; a script of libass is made of it.
package struct TextScript: Hashable, Sendable {
    /// The lines.
    package var text: String
    /// The height of a line in pixels.
    package var lineHeight: Int
    package var color = PixelColor.white
    /// The color of a box behind the text; nil for an outline.
    package var box: PixelColor?
    /// The place: 1 to 9, as on a numeric keypad.
    package var place = 1
    /// Pixels to the edge.
    package var margin = 4

    package init(_ text: String, lineHeight: Int) {
        self.text = text
        self.lineHeight = lineHeight
    }

    /// The script for a picture of a size.
    package func script(for size: PixelSize) -> String {
        let outline = max(1, lineHeight / 12)
        let border = box == nil ? "1,\(outline),0" : "3,\(max(2, lineHeight / 6)),0"
        // A style's second and third color are those of karaoke and of the outline or box.
        let colors = [color, color, box ?? .black, box ?? .black].map(Self.color)
        return """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(size.width)
            PlayResY: \(size.height)
            WrapStyle: 0
            ScaledBorderAndShadow: yes

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, \
            Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, \
            Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
            Style: A,DejaVu Sans,\(lineHeight),\(colors.joined(separator: ",")),\
            0,0,0,0,100,100,0,0,\(border),\(place),\(margin),\(margin),\(margin),1

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:00.00,9999:59:59.99,A,,0,0,0,,\(ScriptWords.escaped(text))

            """
    }

    // Blue is first, and alpha is transparency.
    private static func color(_ color: PixelColor) -> String {
        let bytes = [255 - color.alpha, color.blue, color.green, color.red]
        return "&H"
            + bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
            .joined()
    }
}
