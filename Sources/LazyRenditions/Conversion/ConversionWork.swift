internal import LazyEditing
internal import LazyMedia

/// The work of one conversion.
struct ConversionWork: Sendable {
    var conversion: Rendition.Conversion
    let type: MediaType
    var options: EncodingOptions
    var edit: ClipEdit
    var limit: ByteBound?

    init(
        _ conversion: Rendition.Conversion = .init(), to type: MediaType,
        options: EncodingOptions = .init(), edit: ClipEdit = .init()
    ) {
        self.conversion = conversion
        self.type = type
        self.options = options
        self.edit = edit
    }
}
