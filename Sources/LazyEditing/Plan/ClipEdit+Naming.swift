extension ClipEdit {
    /// The edit with a name in the fields `{name}` of its texts.
    public func named(_ name: String) -> ClipEdit {
        var edit = self
        edit.overlays = overlays.map { overlay in
            guard case .text(var text) = overlay else { return overlay }
            text.template = text.template.split(
                separator: "{name}", omittingEmptySubsequences: false
            )
            .joined(separator: name)
            return .text(text)
        }
        return edit
    }
}
