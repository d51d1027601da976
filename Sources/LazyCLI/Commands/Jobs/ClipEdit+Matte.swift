internal import LazyEditing
internal import LazyKit
internal import LazyMedia

extension ClipEdit {
    /// The edit for a format: a matte only where pixels cannot be partly transparent.
    ///
    /// It is the background too in a format without any transparency.
    func matted(for type: MediaType, _ options: inout EncodingOptions) -> ClipEdit {
        guard let matte, let traits = try? EncoderRegistry.standard.factory(for: type).traits else {
            return self
        }
        var edit = self
        switch traits.alpha {
        case .full: edit.matte = nil
        case .binary: break
        case .none: options.background = options.background ?? matte
        }
        return edit
    }
}
