internal import LazyBase

extension ClipEdit {
    /// The edit with a name in the fields `{name}` of its texts.
    public func named(_ name: String) -> ClipEdit {
        var edit = self
        edit.overlays = overlays.map { overlay in
            guard case .text(var text) = overlay else { return overlay }
            // Only where it is drawn, so that what differs in nothing else keeps its identity.
            if text.template.contains("{name}") { text.name = name.drawn }
            return .text(text)
        }
        return edit
    }
}

extension String {
    /// A name of a file, or a title in it, as it is drawn: one line of bounded length, without what moves or hides text.
    ///
    /// Names come from strangers, and what draws them is C in this process.
    package var drawn: String {
        let visible = readable.unicodeScalars.lazy.map { $0.isUnprintable ? " " : $0 }
        return String(String.UnicodeScalarView(visible.prefix(Self.maxDrawn)))
    }

    /// The most characters; a file name has 255 bytes.
    private static let maxDrawn = 255
}
