internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia

/// What is done to every picture, beside scaling.
struct EditOptions: ParsableArguments {
    @Flag(help: "Remove black bars around the picture, judged over 24 frames of the clip.")
    var trim = false

    @Option(
        help: .init(
            "Keep a part, which must be inside the picture: 320x240+10+20 (left and top), 320x240 or 16:9 (placed by --gravity).",
            valueName: "part"),
        transform: Arguments.crop)
    var crop: CropRegion?

    @Option(
        parsing: .unconditional,
        help: .init(
            "Rotate clockwise, after cropping: degrees, left or right; corners are transparent, or black where the format has no transparency.",
            valueName: "degrees"),
        completion: .list(["90", "180", "270"]), transform: Arguments.rotation)
    var rotate: Double?

    @Option(
        help: .init("Mirror, after rotating: horizontal, vertical or both.", valueName: "way"),
        completion: .list(FlipWay.allCases.map(\.rawValue)), transform: Arguments.word)
    var flip: FlipWay?

    @Option(
        help: .init(
            "Add a border, after scaling: 20 (pixels on each side), or up to 640x480 or 16:9.",
            valueName: "extent"),
        transform: Arguments.padding)
    var pad: Padding.Extent?

    @Option(
        help: .init("The color of the border, as in CSS. Default: black.", valueName: "color"),
        transform: Arguments.color)
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
        let pairs = [
            ("--crop", crop?.description), ("--rotate", rotate.map { "\($0)" }),
            ("--flip", flip?.rawValue), ("--pad", pad?.description),
            ("--pad-color", padColor?.description),
        ]
        return (trim ? ["--trim"] : [])
            + pairs.flatMap { name, value in value.map { [name, $0] } ?? [] } + overlay.words
    }

    /// Throws for contradictions; reads no file.
    func check(_ gravity: CropGravityOptions) throws(CommandFailure) {
        _ = try gravity.place(of: self)
        _ = try padding()
        try overlay.check()
    }

    /// The options that are given, for messages.
    var given: [(String, Bool)] {
        [
            ("--trim", trim), ("--crop", crop != nil), ("--rotate", rotate != nil),
            ("--flip", flip != nil), ("--pad", pad != nil), ("--pad-color", padColor != nil),
        ] + overlay.given
    }
}

/// How a picture is mirrored.
enum FlipWay: String, CaseIterable {
    case horizontal, vertical, both
}

/// The place of a crop, for commands that have no size of their own.
struct CropGravityOptions: ParsableArguments {
    @Option(
        help: .init(
            "The part that a crop keeps: center, smart, entropy, attention, north, south-east and so on, or a point such as 0.3,0.5.",
            valueName: "place"),
        completion: .list(Gravity.words), transform: Arguments.gravity)
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
        help: .init(
            "The color that partly transparent pixels are blended with in formats without them, such as GIF.",
            valueName: "color"),
        transform: Arguments.color)
    var matte: PixelColor?
}

extension Arguments {
    /// `320x240+10+20`, `320x240`, `16:9`, and ffmpeg's `320:240:10:20`.
    static func crop(_ text: String) throws -> CropRegion {
        guard let region = CropRegion(text) else {
            throw ArgumentError("a part is written as 320x240+10+20, 320x240 or 16:9")
        }
        return region
    }

    /// `90`, `-12.5`, `left`, `right`.
    static func rotation(_ text: String) throws -> Double {
        switch text {
        case "left": return 270
        case "right": return 90
        default: break
        }
        guard let degrees = Double(text), (-360...360).contains(degrees) else {
            throw ArgumentError("it must be a number of degrees from -360 to 360, left or right")
        }
        return degrees
    }

    /// `20`, `640x480`, `16:9`.
    static func padding(_ text: String) throws -> Padding.Extent {
        guard let extent = Padding.Extent(text) else {
            throw ArgumentError("a border is written as 20, 640x480 or 16:9")
        }
        return extent
    }
}
