internal import LazyBase
internal import LazyEditing
internal import LazyMedia

extension ClipEdit {
    /// What of an edit is written, in the order in which it is applied.
    static let fields = shapeFields + timeFields + pictureFields

    private static let shapeFields: [Field<ClipEdit>] = [
        Field("trim", \.shape.trimsBars, "Whether black bars are removed."),
        Field("stored", \.shape.liesAsStored, "Whether stills lie as their file stores them."),
        Field("edges", \.shape.edges, Words.edges, "Which edges of one color are removed."),
        Field("crop", \.shape.crop, Words.crop, "The part that is kept before scaling."),
        Field(
            "rotate", \.shape.rotation, unless: 0, Words.rotation,
            "The rotation in degrees clockwise."),
        Field("flip", \.shape.flip, Words.flip, "How pictures are mirrored after that."),
    ]

    private static let timeFields: [Field<ClipEdit>] = [
        Field(
            "segments", \.parts, unless: [], Words.segments,
            "The parts of the clip that are kept, in this order."),
        Field("speed", \.speed, unless: 1, Words.speed, "The factor of the speed."),
        Field("fps", \.frameRate, Words.rate, "The most frames per second."),
        Field("maxFrames", \.maxFrames, Words.count, "The most frames."),
        Field("reverse", \.isReversed, "Whether it plays backwards."),
        Field("bounce", \.isBouncing, "Whether it plays forwards and then backwards."),
        Field(
            "crossfade", \.crossfade, unless: .zero, Words.time,
            "The length of the cross-fade from the end to the beginning."),
    ]

    private static let pictureFields: [Field<ClipEdit>] = [
        Field("size", \.size, Words.size, "The size of pictures."),
        Field(
            "gravity", \.gravity, unless: .center, Words.gravity, "The part that a crop keeps."),
        Field(
            "place", \.placement, Words.placement,
            "Where pictures lie on a canvas, written as the options of a service's URL."),
        Field("pad", \.border, Words.border, "How far a border around pictures reaches."),
        Field(
            "padColor", \.borderColor, Words.color, "The color of the border; black by default."),
        Field(
            name: "overlays",
            summary: "What is drawn over pictures, the first one below the others.",
            schema: { Overlay.schema },
            write: { edit in
                edit.overlays.isEmpty ? nil : .array(edit.overlays.map(\.json))
            },
            read: { (edit, json) throws(WordError) in
                edit.overlays = try json.values().map { value throws(WordError) in
                    try Overlay(json: value)
                }
            }),
        Field(
            "matte", \.matte, Words.color,
            "The color that soft edges are blended with in formats without them."),
    ]
}

extension PictureShape {
    /// How pictures are mirrored, if they are.
    fileprivate var flip: Words.Flip? {
        get {
            switch (isMirrored, isFlipped) {
            case (false, false): nil
            case (true, false): .horizontal
            case (false, true): .vertical
            case (true, true): .both
            }
        }
        set {
            isMirrored = newValue == .horizontal || newValue == .both
            isFlipped = newValue == .vertical || newValue == .both
        }
    }
}

extension ClipEdit {
    /// The reach of the border, if there is one.
    fileprivate var border: Padding.Extent? {
        get { padding?.extent }
        set { padding = newValue.map { Padding($0, color: padding?.color ?? .black) } }
    }

    /// Its color, unless it is black.
    fileprivate var borderColor: PixelColor? {
        get { padding.flatMap { $0.color == .black ? nil : $0.color } }
        set {
            guard let newValue else { return }
            padding = Padding(padding?.extent ?? .border(0), color: newValue)
        }
    }
}
