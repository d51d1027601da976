internal import ArgumentParser
internal import LazyOptions

/// The options that name the outputs of a command.
protocol DestinationOptions: ParsableArguments {
    /// The formats that the command writes.
    static var formats: [OutputFormat] { get }
    /// The value of `-o`.
    var output: String? { get set }
    /// The value of `--format`.
    var format: OutputFormat? { get }
    /// How outputs are named.
    var naming: NamingOptions { get }
}

/// The outputs of a command, for the help and completion of its options.
protocol OutputDescription {
    /// The possible formats.
    static var formats: [OutputFormat] { get }
    /// The formats as words for help.
    static var words: String { get }
    /// The default name.
    static var standardName: String { get }
}

extension OutputDescription {
    static var words: String { OutputFormat.words(formats) }
}

/// The name and the format of an output.
struct OutputOptions<Description: OutputDescription>: DestinationOptions {
    static var formats: [OutputFormat] { Description.formats }

    @Option(
        "The file to write (\(OutputFormat.endings(Description.formats))), a folder, or - for standard output. Without -o a second name with one of these extensions is the output. Default: \(Description.standardName).",
        as: "file", name: [.customShort("o", allowingJoined: true), .long],
        completion: .file(extensions: Description.formats.map(\.rawValue)))
    var output: String?

    @Option(
        "\(Description.words), regardless of the file name.",
        as: "format", name: [.customShort("f", allowingJoined: true), .long],
        completion: .list(Description.formats.map(\.rawValue)),
        transform: OutputFormat.parser(among: Description.formats))
    var format: OutputFormat?

    @OptionGroup var naming: NamingOptions

    /// Whether all that is written is encoded by libraries that the program is linked with.
    ///
    /// The formats of the commands that ask are linked where none is named.
    var isLinked: Bool {
        let formats = [format, output.flatMap { OutputFormat(path: $0) }].compactMap { $0 }
        return naming.name == nil && formats.allSatisfy(\.isLinked)
    }
}
