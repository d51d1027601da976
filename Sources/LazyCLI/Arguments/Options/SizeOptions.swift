internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// The size of the output.
struct SizeOptions: ParsableArguments {
    @Option(
        "The width in pixels; the height follows.",
        Words.side, as: "pixels", name: [.customShort("W", allowingJoined: true), .long])
    var width: Int?

    @Option(
        "The height in pixels; the width follows.",
        Words.side, as: "pixels", name: [.customShort("H", allowingJoined: true), .long])
    var height: Int?

    @Option(
        "Width and height: 640x360, 640x, x360, or 256 for a square box; pictures are not enlarged. With ! to fill it exactly, ^ to cover it.",
        Words.size, as: "size", name: [.customShort("s", allowingJoined: true), .long])
    var size: TargetSize?

    @Option(
        "How to fit into width and height: scale-down (the default), contain, which also enlarges, cover or fill.",
        Words.fit, as: "way")
    var fit: FitMode?

    /// The requested size, or nil for the size of the media.
    func target() throws(CommandFailure) -> TargetSize? {
        if size != nil, width != nil || height != nil {
            throw .usage("--size cannot be combined with --width or --height.")
        }
        var target = size ?? TargetSize(width: width, height: height)
        guard target.width != nil || target.height != nil else {
            if fit != nil { throw .usage("--fit needs --width, --height or --size.") }
            return nil
        }
        // Nobody asks for more pixels than there are by naming a box.
        if let fit { target.fit = fit } else if target.fit == .contain { target.fit = .scaleDown }
        return target
    }
}

/// The size of the output, and which part is kept if it is cropped.
struct FramingOptions: ParsableArguments {
    @OptionGroup var size: SizeOptions

    @Option(
        "The part that --fit cover and --crop keep: center, smart, entropy, attention, north, south-east and so on, or a point such as 0.3,0.5.",
        Words.gravity, as: "place")
    var gravity: Gravity?

    /// The requested size, or nil for that of the media; throws if nothing is cropped.
    ///
    /// `isCropping` says that something else is cropped by the gravity.
    func target(isCropping: Bool = false) throws(CommandFailure) -> TargetSize? {
        let target = try size.target()
        if gravity != nil, target?.fit != .cover, !isCropping {
            throw .usage(
                "--gravity needs cropping, and nothing is cropped.",
                hint: "Add --width, --height and --fit cover, or --crop.")
        }
        return target
    }
}
