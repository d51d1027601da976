/// The command line of `lazyimg-view`; pure.
package struct ViewerArguments: Equatable, Sendable {
    /// The kinds of media that are shown.
    package enum Kind: String, CaseIterable, Sendable {
        case all, images, animations, films
    }

    /// What the arguments ask for.
    package enum Answer: Equatable, Sendable {
        case view(ViewerArguments)
        case help
        case version
        case mistake(String)
    }

    /// Files, folders and addresses.
    package var inputs: [String] = []
    /// The kinds of media that are shown.
    package var kind = Kind.all
    /// Where media is decoded.
    var isolation = ViewerIsolation.auto
    /// What is done to every picture.
    package var edits = EditArguments()
    /// Whether the window covers the screen.
    package var isFullScreen = false
    /// Whether the grid is shown first, also for a single input.
    package var showsGrid = false
    /// Whether the program prints what it shows, for scripts and tests.
    package var traces = false

    /// Parses arguments without the name of the program.
    package static func parse(_ words: [String]) -> Answer {
        var arguments = ViewerArguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                arguments.inputs.append(word)
                continue
            }
            switch word {
            case "--":
                arguments.inputs += rest
                rest = []
            case "--help", "-h": return .help
            case "--version", "-V": return .version
            case "--fullscreen", "-f": arguments.isFullScreen = true
            case "--grid", "-g": arguments.showsGrid = true
            case "--trace": arguments.traces = true
            case "--only":
                switch value(of: word, rest.popFirst(), as: Kind.self) {
                case .success(let kind): arguments.kind = kind
                case .failure(let mistake): return .mistake(mistake.message)
                }
            case "--isolate":
                switch value(of: word, rest.popFirst(), as: ViewerIsolation.self) {
                case .success(let isolation): arguments.isolation = isolation
                case .failure(let mistake): return .mistake(mistake.message)
                }
            case "--trim": arguments.edits.trimsBars = true
            case _ where EditArguments.hasValue(word):
                if let mistake = arguments.readEdit(word, rest.popFirst()) { return mistake }
            default: return .mistake("There is no option \(word).")
            }
        }
        do throws(EditArguments.Mistake) { try arguments.edits.check() } catch {
            return .mistake(error.message)
        }
        return .view(arguments)
    }

    private mutating func readEdit(_ option: String, _ value: String?) -> Answer? {
        guard let value else { return .mistake("\(option) needs a value.") }
        do throws(EditArguments.Mistake) { try edits.read(option, value) } catch {
            return .mistake(error.message)
        }
        return nil
    }

    private struct Mistake: Error {
        let message: String
    }

    private static func value<Choice: RawRepresentable<String> & CaseIterable>(
        of option: String, _ word: String?, as type: Choice.Type
    ) -> Result<Choice, Mistake> {
        guard let word else { return .failure(Mistake(message: "\(option) needs a value.")) }
        if let choice = Choice(rawValue: word) { return .success(choice) }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return .failure(Mistake(message: "\(option) '\(word)' is none of \(names)."))
    }

    package static let help = """
        USAGE: lazyimg-view [--fullscreen] [--grid] [--only KIND] [--isolate WHEN] [EDIT…] [INPUT…]

        Shows images, animations and videos in a window. An INPUT is a file, a folder, or an http:, https:,
        file: or data: URL; without one, the current folder is shown. One file is shown with the other
        media of its folder before and after it.

          -f, --fullscreen  cover the screen
          -g, --grid        show the grid first
          --only KIND       all, images, animations or films
          --isolate WHEN    decode in locked processes: auto and always do, never does not
          --trace           print what is shown, one JSON object a line
          -h, --help        show this help; in the window, press ?

        Edits of every picture, in this order:
          --trim            remove black bars
          --crop PART       320x240+10+20, 320x240 or 16:9; --gravity PLACE places it
          --rotate DEGREES  clockwise, or left or right
          --flip WAY        horizontal, vertical or both
          --pad EXTENT      20, 640x480 or 16:9; --pad-color COLOR
          --watermark FILE  --watermark-gravity PLACE, --watermark-opacity SHARE
          --subtitles FILE  or track, track:2, track:deu of the media itself
          --text TEXT       --text-gravity PLACE, --text-size PERCENT, --text-color COLOR

        Exit codes: 0 done; 64 wrong command line; 65 unreadable watermark or subtitles; 66 input missing;
        69 no display.

        """
}
