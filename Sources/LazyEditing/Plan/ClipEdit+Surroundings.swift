package import LazyMedia

extension ClipEdit {
    /// The edit for a format: what lies around pictures has a color where there is no transparency.
    ///
    /// It is black, as the bars of films and borders are, or the background of the options. The background of
    /// transparent pixels of the source is another matter: that is white, as the page of a browser is.
    package func surrounded(for traits: FormatTraits, _ options: EncodingOptions) -> ClipEdit {
        guard traits.alpha == .none || options.codec == .av1 else { return self }
        var edit = self
        edit.surroundings = options.background ?? .black
        return edit
    }

    /// The edit for a format: a matte only where pixels cannot be partly transparent.
    ///
    /// It is the background too in a format without any transparency.
    package func matted(for traits: FormatTraits, _ options: inout EncodingOptions) -> ClipEdit {
        guard let matte else { return self }
        var edit = self
        switch traits.alpha {
        case .full: edit.matte = nil
        case .binary: break
        case .none: options.background = options.background ?? matte
        }
        return edit
    }
}

extension FrameSequence {
    /// The sequence with the edges around smaller parts in a color; nil keeps them.
    func surrounded(by color: PixelColor?) -> FrameSequence {
        guard let color, let joined = media as? JoinedMedia else { return self }
        return wrapped { _ in joined.surrounded(by: color) }
    }
}
