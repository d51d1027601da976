package import ArgumentParser
package import LazyEditing
package import LazyMedia
package import LazyRenditions

/// What is done to every picture, beside scaling.
package struct EditOptions: ParsableArguments, Sendable {
    @Flag(help: "Remove black bars around the picture, judged over 24 frames of the clip.")
    package var trim = false

    @Option(
        "Keep a part, which must be inside the picture: 320x240+10+20 (left and top), 320x240 or 16:9 (placed by --gravity).",
        Words.crop, as: "part")
    package var crop: CropRegion?

    @Option(
        "Rotate clockwise, after cropping: degrees, left or right; corners are transparent, or black where the format has no transparency.",
        Words.rotation, as: "degrees", parsing: .unconditional)
    package var rotate: Double?

    @Option("Mirror, after rotating: horizontal, vertical or both.", Words.flip, as: "way")
    package var flip: Words.Flip?

    @Option(
        "Add a border, after scaling: 20 (pixels on each side), or up to 640x480 or 16:9.",
        Words.border, as: "extent")
    package var pad: Padding.Extent?

    @Option("The color of the border, as in CSS. Default: black.", Words.color, as: "color")
    package var padColor: PixelColor?

    @OptionGroup package var overlay: OverlayOptions

    package init() {}

    /// What is done before scaling.
    package var shape: PictureShape {
        PictureShape(
            trimsBars: trim, crop: crop, rotation: rotate ?? 0,
            isMirrored: flip == .horizontal || flip == .both,
            isFlipped: flip == .vertical || flip == .both)
    }

    /// Whether the gravity places a crop.
    package var cropsByGravity: Bool {
        switch crop {
        case .size, .ratio: true
        case .rect, nil: false
        }
    }

    /// The border; throws for a color without one.
    package func padding() throws(OptionError) -> Padding? {
        guard let pad else {
            if padColor != nil { throw .usage("--pad-color needs --pad.") }
            return nil
        }
        return Padding(pad, color: padColor ?? .black)
    }

    /// The options as an edit that keeps all frames.
    package func edit(_ gravity: Gravity?, _ files: OverlayFiles) throws(OptionError) -> ClipEdit {
        var edit = ClipEdit(gravity: gravity ?? .center)
        (edit.shape, edit.padding) = (shape, try padding())
        edit.overlays = try overlay.overlays(files)
        return edit
    }

    /// The options as an edit, or nil where none of them is given.
    package func edit(
        placing gravity: CropGravityOptions, _ files: OverlayFiles
    ) throws(OptionError) -> ClipEdit? {
        let place = try gravity.place(of: self)
        return given.contains(where: \.1) ? try edit(place, files) : nil
    }

    /// The options as words, for another program that takes the same ones.
    var words: [String] {
        (trim ? ["--trim"] : []) + entries.flatMap { name, word in word.map { [name, $0] } ?? [] }
    }

    /// The options that are given, for messages.
    package var given: [(String, Bool)] { [("--trim", trim)] + entries.map { ($0, $1 != nil) } }

    /// Each option with a value, with that as it is written.
    private var entries: [(name: String, word: String?)] {
        [
            ("--crop", crop.map(Words.crop.text)), ("--rotate", rotate.map(Words.rotation.text)),
            ("--flip", flip.map(Words.flip.text)), ("--pad", pad.map(Words.border.text)),
            ("--pad-color", padColor.map(Words.color.text)),
        ] + overlay.entries
    }

    /// Throws for contradictions; reads no file.
    package func check(_ gravity: CropGravityOptions) throws(OptionError) {
        _ = try gravity.place(of: self)
        _ = try padding()
        try overlay.check()
    }
}

/// The place of a crop, for commands that have no size of their own.
package struct CropGravityOptions: ParsableArguments, Sendable {
    @Option(
        "The part that a crop keeps: center, smart, entropy, attention, north, south-east and so on, or a point such as 0.3,0.5.",
        Words.gravity, as: "place")
    package var gravity: Gravity?

    package init() {}

    /// The place; throws if nothing is cropped by it.
    ///
    /// `isCovering` says that a size is covered.
    package func place(of edits: EditOptions, isCovering: Bool = false) throws(OptionError)
        -> Gravity?
    {
        guard gravity != nil, !edits.cropsByGravity, !isCovering else { return gravity }
        throw .usage(
            "--gravity needs cropping, and nothing is cropped.",
            hint: "Add --crop with a size or a ratio.")
    }
}
