internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// What is done to every picture, beside scaling.
struct EditOptions: ParsableArguments {
    @Flag(help: "Remove black bars around the picture, judged over 24 frames of the clip.")
    var trim = false

    @Option(
        "Keep a part, which must be inside the picture: 320x240+10+20 (left and top), 320x240 or 16:9 (placed by --gravity).",
        Words.crop, as: "part")
    var crop: CropRegion?

    @Option(
        "Rotate clockwise, after cropping: degrees, left or right; corners are transparent, or black where the format has no transparency.",
        Words.rotation, as: "degrees", parsing: .unconditional)
    var rotate: Double?

    @Option("Mirror, after rotating: horizontal, vertical or both.", Words.flip, as: "way")
    var flip: Words.Flip?

    @Option(
        "Add a border, after scaling: 20 (pixels on each side), or up to 640x480 or 16:9.",
        Words.border, as: "extent")
    var pad: Padding.Extent?

    @Option("The color of the border, as in CSS. Default: black.", Words.color, as: "color")
    var padColor: PixelColor?

    @OptionGroup var overlay: OverlayOptions

    /// What is done before scaling.
    var shape: PictureShape {
        PictureShape(
            trimsBars: trim, crop: crop, rotation: rotate ?? 0,
            isMirrored: flip == .horizontal || flip == .both,
            isFlipped: flip == .vertical || flip == .both)
    }

    /// Whether the gravity places a crop.
    var cropsByGravity: Bool {
        switch crop {
        case .size, .ratio: true
        case .rect, nil: false
        }
    }

    /// The border; throws for a color without one.
    func padding() throws(CommandFailure) -> Padding? {
        guard let pad else {
            if padColor != nil { throw .usage("--pad-color needs --pad.") }
            return nil
        }
        return Padding(pad, color: padColor ?? .black)
    }

    /// The options as an edit that keeps all frames; `limits` are those of the files that it draws.
    func edit(_ gravity: Gravity?, _ limits: LimitsChoice) throws(CommandFailure) -> ClipEdit {
        var edit = ClipEdit(gravity: gravity ?? .center)
        (edit.shape, edit.padding) = (shape, try padding())
        edit.overlays = try overlay.overlays(limits)
        return edit
    }

    /// The options as an edit, or nil where none of them is given.
    func edit(
        placing gravity: CropGravityOptions, _ limits: LimitsChoice
    ) throws(CommandFailure) -> ClipEdit? {
        let place = try gravity.place(of: self)
        return given.contains(where: \.1) ? try edit(place, limits) : nil
    }

    /// The options as words, for another program that takes the same ones.
    var words: [String] {
        (trim ? ["--trim"] : []) + entries.flatMap { name, word in word.map { [name, $0] } ?? [] }
    }

    /// The options that are given, for messages.
    var given: [(String, Bool)] { [("--trim", trim)] + entries.map { ($0, $1 != nil) } }

    /// Each option with a value, with that as it is written.
    private var entries: [(name: String, word: String?)] {
        [
            ("--crop", crop.map(Words.crop.text)), ("--rotate", rotate.map(Words.rotation.text)),
            ("--flip", flip.map(Words.flip.text)), ("--pad", pad.map(Words.border.text)),
            ("--pad-color", padColor.map(Words.color.text)),
        ] + overlay.entries
    }

    /// Throws for contradictions; reads no file.
    func check(_ gravity: CropGravityOptions) throws(CommandFailure) {
        _ = try gravity.place(of: self)
        _ = try padding()
        try overlay.check()
    }
}

/// The place of a crop, for commands that have no size of their own.
struct CropGravityOptions: ParsableArguments {
    @Option(
        "The part that a crop keeps: center, smart, entropy, attention, north, south-east and so on, or a point such as 0.3,0.5.",
        Words.gravity, as: "place")
    var gravity: Gravity?

    /// The place; throws if nothing is cropped by it.
    ///
    /// `isCovering` says that a size is covered.
    func place(of edits: EditOptions, isCovering: Bool = false) throws(CommandFailure) -> Gravity? {
        guard gravity != nil, !edits.cropsByGravity, !isCovering else { return gravity }
        throw .usage(
            "--gravity needs cropping, and nothing is cropped.",
            hint: "Add --crop with a size or a ratio.")
    }
}

/// The color of soft edges.
struct MatteOptions: ParsableArguments {
    @Option(
        "The color that partly transparent pixels are blended with in formats without them, such as GIF.",
        Words.color, as: "color")
    var matte: PixelColor?
}
