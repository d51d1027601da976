/// How commands open media, for the test that none of it is decoded in their own process.
enum IsolatedCommands {
    /// What media is named by.
    enum Input: String, CaseIterable {
        case picture, film, sequence, url, fileURL, dataURL, standardInput
        /// Lists, and what stands for one.
        case ffconcat, framesJSON, pattern, folder
        /// Several at once.
        case several, joinedPictures, concat, concatURL, listOfNames
        /// Beside an input.
        case watermark, fallback, motion

        /// The words of a shell in a folder with these files, where a server has the picture.
        var words: String {
            switch self {
            case .picture: "a.jpg"
            case .film: "f.mp4"
            case .sequence: "s.avif"
            case .url: "$url/a.jpg"
            case .fileURL: "file://$PWD/a.jpg"
            case .dataURL: "data:image/jpeg\\;base64,$(base64 -w0 a.jpg)"
            case .standardInput: "- <f.mp4"
            case .ffconcat: "l.ffconcat"
            case .framesJSON: "frames.json"
            case .pattern: "n%d.jpg"
            case .folder: "pictures"
            case .several: "a.jpg f.mp4"
            case .joinedPictures: "a.jpg b.jpg"
            case .concat: "--concat a.jpg c.gif f.mp4"
            case .concatURL: "--concat $url/a.jpg c.gif"
            case .listOfNames: "--files-from list.txt"
            case .watermark: "c.gif --watermark w.png"
            case .fallback: "missing.png --fallback w.png"
            case .motion: "m.jpg --track motion"
            }
        }
    }

    /// A command with its words: `{}` is the input, and outputs belong into the folder `out`.
    struct Row: CustomStringConvertible {
        let command: String
        var words = ""
        var inputs: [Input] = []
        /// A library that it opens to write, which decodes, too.
        var written: String?
        /// Why there is nothing to isolate.
        var reason: String?

        var description: String { "\(command) \(words)" }

        static func decodes(
            _ command: String, _ words: String, _ inputs: [Input], writing library: String? = nil
        ) -> Row {
            Row(command: command, words: words, inputs: inputs, written: library)
        }

        static func opensNothing(_ command: String, _ reason: String) -> Row {
            Row(command: command, reason: reason)
        }
    }

    private static let single: [Input] = [
        .picture, .film, .url, .fileURL, .dataURL, .standardInput, .motion,
    ]
    private static let lists: [Input] = [.ffconcat, .framesJSON, .pattern]
    private static let joined: [Input] =
        lists + [.folder, .joinedPictures, .concat, .concatURL, .watermark]

    /// Every command; a new one has to be added.
    static let table: [Row] = [
        .decodes("info", "{} --frames --json", single + lists + [.several]),
        .decodes(
            "poster", "{} -W 16 -f png -o out/",
            single + lists + [.several, .watermark, .fallback]),
        .decodes("poster", "{} --xdg-thumbnail normal", [.picture]),
        .decodes("animate", "{} -W 16 -o out/x.gif", [.film] + joined),
        .decodes(
            "convert", "{} --allow-larger -o out/x.webp", [.film, .standardInput] + joined),
        .decodes("sheet", "{} -W 16 -o out/x.png", [.film, .ffconcat, .watermark]),
        .decodes(
            "make", #"'{"kind": "poster", "edit": {"size": "16x"}}' {} -o out/x.png"#,
            [.picture, .film, .url, .ffconcat]),
        .decodes("loop", "{}", [.sequence, .standardInput]),
        .decodes("loop", "{} --loop 2 -o out/x.avif", [.sequence]),
        .decodes(
            "play", "{} --frames out/f", [.picture, .film, .url, .several, .watermark] + lists),
        .decodes("frames", "{} -W 16 -o out/f", [.picture, .film, .watermark] + lists),
        .decodes("play", "{} --protocol blocks", [.picture]),
        .decodes("ls", "{} --protocol blocks", [.picture, .url, .several, .folder]),
        .decodes(
            "batch", "poster {} -W 16 -f png -o out/ --no-journal",
            [.picture, .url, .several, .ffconcat, .listOfNames, .watermark]),
        .decodes(
            "batch", "animate {} -W 16 -f gif -o out/ --no-journal", [.ffconcat, .framesJSON]),
        .decodes("gallery", "{} -o out/site --quiet", [.folder], writing: "avif"),
        .opensNothing("view", "It becomes another program, which isolates by itself."),
        .opensNothing("fetch", "It copies bytes."),
        .opensNothing("prefetch", "It copies bytes."),
        .opensNothing("warm", "It starts processes that decode for others."),
        .opensNothing("cache", "It looks at names and checksums."),
        .opensNothing("formats", "It lists what there is."),
        .opensNothing("doctor", "It opens libraries, and no media."),
        .opensNothing("help", "It prints texts."),
    ]
}
