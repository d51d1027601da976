internal import ArgumentParser
internal import LazyMedia

/// What all commands that read media share.
struct ReadingOptions: ParsableArguments {
    @Option(
        help: .init(
            "What decoding may cost: 'trusted' for files of your own, 'web', or 'untrusted' for uploads of strangers.",
            valueName: "profile"))
    var limits: LimitsProfile = .web
}

/// The size that pictures are written at.
struct SizeOptions: ParsableArguments {
    @Option(
        name: [.customShort("W", allowingJoined: true), .long],
        help: .init("The width in pixels; the height follows.", valueName: "pixels"),
        transform: Arguments.side)
    var width: Int?

    @Option(
        name: [.customShort("H", allowingJoined: true), .long],
        help: .init("The height in pixels; the width follows.", valueName: "pixels"),
        transform: Arguments.side)
    var height: Int?

    @Option(
        name: [.customShort("s", allowingJoined: true), .long],
        help: .init(
            "Width and height: 640x360, 640x or x360; with ! to fill, ^ to cover, > only to shrink.",
            valueName: "size"),
        transform: Arguments.size)
    var size: TargetSize?

    @Option(
        help: .init(
            "How to fit into width and height: contain, cover, fill or scale-down.",
            valueName: "way"),
        completion: .list(FitMode.allCases.map(\.rawValue)), transform: Arguments.fit)
    var fit: FitMode?

    /// The size asked for, or nil for the size of the media.
    func target() throws(CommandFailure) -> TargetSize? {
        if size != nil, width != nil || height != nil {
            throw .usage("--size cannot be combined with --width or --height.")
        }
        var target = size ?? TargetSize(width: width, height: height)
        guard target.width != nil || target.height != nil else {
            if fit != nil { throw .usage("--fit needs --width, --height or --size.") }
            return nil
        }
        if let fit { target.fit = fit }
        return target
    }
}

/// What a command tells about itself.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print results, and errors on standard error, as JSON.")
    var json = false

    @Flag(name: [.customShort("Q"), .long], help: "Print no progress, summary or warnings.")
    var quiet = false
}

/// What to do with outputs that exist.
struct OverwriteOptions: ParsableArguments {
    @Option(
        help: .init("Whether to replace files that exist: 'never' or 'always'.", valueName: "when"))
    var overwrite: OverwritePolicy = .never

    @Flag(help: "The same as --overwrite always.")
    var force = false

    /// What holds in the end.
    var policy: OverwritePolicy { force ? .always : overwrite }
}
