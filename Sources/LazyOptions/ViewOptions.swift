public import ArgumentParser
internal import LazyBase
public import LazyEditing
public import LazyPipeline
internal import LazyRenditions

/// What `lazyimg view` and the program with the window, `lazyimg-view`, take.
public struct ViewOptions: ParsableArguments, Sendable {
    /// Paths, folders and URLs; empty for the current folder.
    @Argument(
        help: "Media: a path, a folder, or a URL (http, https, file, data); without, this folder.",
        completion: .file())
    public var input: [String] = []

    /// Whether the window covers the screen.
    @Flag(name: [.customShort("f"), .long], help: "Cover the screen.")
    public var fullscreen = false

    /// Whether the grid is shown first, also for a single input.
    @Flag(name: [.customShort("g"), .long], help: "Show the grid first, also for one file.")
    public var grid = false

    /// The kinds of media that are shown of folders.
    @OptionGroup public var kinds: KindOptions

    @Option(
        help: .init(
            "Decode in locked processes of their own: always, never, or auto, which does; see 'lazyimg help isolation'.",
            valueName: "when"))
    var isolate = IsolationChoice.auto

    @OptionGroup(title: "Edits") var edits: EditOptions
    @OptionGroup(title: "Edits") var gravity: CropGravityOptions

    /// Makes options of which none is given.
    public init() {}

    /// Where media is decoded: files in a folder to look at may come from anybody.
    public var trust: MediaOpening.Trust {
        MediaOpening.Trust(.own, isolation: isolate.isolation, opensMany: true)
    }

    /// Throws `.usage` for contradictions; reads no file.
    public func check() throws(OptionError) { try edits.check(gravity) }

    /// What is done to every picture; nil where nothing is.
    ///
    /// Blocks while it reads the watermark and the file of subtitles, with the decoders of an opening.
    public func edit(_ opening: MediaOpening) throws(OptionError) -> ClipEdit? {
        try check()
        return try edits.edit(
            placing: gravity, OverlayFiles(opening, trust, .init(), CancellationFlag()))
    }

    /// The options as words, for another program that takes the same ones.
    package var words: [String] {
        (fullscreen ? ["--fullscreen"] : []) + (grid ? ["--grid"] : [])
            + kinds.words
            + (isolate == .auto ? [] : ["--isolate", isolate.rawValue]) + edits.words
            + (gravity.gravity.map { ["--gravity", Words.gravity.text($0)] } ?? []) + ["--"] + input
    }
}

/// The words for when inputs are decoded in processes of their own.
package enum IsolationChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    package var isolation: MediaOpening.Trust.Isolation { .init(rawValue: rawValue) ?? .always }
}
