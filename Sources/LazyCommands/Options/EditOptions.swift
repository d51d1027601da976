internal import ArgumentParser
internal import CommandSupport
internal import LazyEditing
internal import LazyMedia

/// What is done to every picture, beside scaling.
struct EditOptions: ParsableArguments {
    @Flag(help: "Remove black bars around the picture, judged over 24 frames of the clip.")
    var trim = false

    @Option(
        help: .init(
            "Keep a part: 320x240+10+20 (left and top), 320x240 or 16:9 (placed by --gravity).",
            valueName: "part"),
        transform: Arguments.crop)
    var crop: CropRegion?

    @Option(
        parsing: .unconditional,
        help: .init(
            "Rotate clockwise, after cropping: degrees, left or right; corners are transparent.",
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

    /// The options as an edit that keeps all frames.
    func edit(_ gravity: Gravity?) throws(CommandFailure) -> ClipEdit {
        var edit = ClipEdit(gravity: gravity ?? .center)
        (edit.shape, edit.padding, edit.overlays) = (shape, try padding(), try overlay.overlays())
        return edit
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
    private static let mostSide = 1 << 24

    private static func numbers(_ text: Substring, _ mark: Character) -> [Int]? {
        let parts = text.split(separator: mark, omittingEmptySubsequences: false).map { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
        }
        let numbers = parts.compactMap(\.self)
        return numbers.count == parts.count && numbers.allSatisfy { $0 <= mostSide }
            ? numbers : nil
    }

    /// `320x240+10+20`, `320x240`, `16:9`, and ffmpeg's `320:240:10:20`.
    static func crop(_ text: String) throws -> CropRegion {
        let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let places = parts.count == 2 ? numbers(parts[1], "+") : []
        if let sides = numbers(parts[0], "x"), sides.count == 2, sides.allSatisfy({ $0 > 0 }),
            let places, places.isEmpty || places.count == 2
        {
            let size = PixelSize(width: sides[0], height: sides[1])
            guard let left = places.first, let top = places.last else { return .size(size) }
            return .rect(PixelRect(x: left, y: top, width: size.width, height: size.height))
        }
        if let all = numbers(text[...], ":"), all.prefix(2).allSatisfy({ $0 > 0 }) {
            if all.count == 2 { return .ratio(all[0], all[1]) }
            if all.count == 4 {
                return .rect(PixelRect(x: all[2], y: all[3], width: all[0], height: all[1]))
            }
        }
        throw ArgumentError("a part is written as 320x240+10+20, 320x240 or 16:9")
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
        if let border = numbers(text[...], " ")?.first { return .border(border) }
        if let sides = numbers(text[...], "x"), sides.count == 2, sides.allSatisfy({ $0 > 0 }) {
            return .size(PixelSize(width: sides[0], height: sides[1]))
        }
        if let ratio = numbers(text[...], ":"), ratio.count == 2, ratio.allSatisfy({ $0 > 0 }) {
            return .ratio(ratio[0], ratio[1])
        }
        throw ArgumentError("a border is written as 20, 640x480 or 16:9")
    }
}
