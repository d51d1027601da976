import Support
import Testing
import ToolSupport

/// An option either changes the file or is refused with its name and that of the format.
@Suite(.ownThreads) struct UnusedOptionTests {
    private let scratch = Scratch()

    /// What each option does to each format: `+` makes another file, `-` is refused, `=` says what is so anyway.
    private static let table: [(option: String, effects: String)] = [
        ("--quality 30", "+ - + + + + - +"), ("--lossy", "+ - = = = = - ="),
        ("--lossless", "- = + + - ! = -"), ("--effort 0", "- + = = = = = +"),
        ("--effort 10", "- = + + + + + ="),
        ("--colors 4", "+ - - - - - - -"), ("--palettes scene", "= - - - - - - -"),
        ("--dither ordered --colors 4", "+ - - - - - - -"), ("--codec av1", "- - - - + + - -"),
        ("--background red", "- - - - + - - +"), ("--matte red", "+ - - - + - - +"),
        ("--loop 7", "+ + + + = = - -"), ("--audio copy", "- - - - = = - -"),
    ]
    private static let formats = ["gif", "apng", "webp", "avif", "mp4", "webm", "png", "jpg"]

    /// A clip with holes and soft edges.
    private func source() -> String {
        let path = scratch.path("a.apng")
        _ = Peer.output(
            of:
                "ffmpeg -v error -y -f lavfi -i testsrc2=s=160x120:r=4:d=1 -vf \"format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='4*X'\" -f apng '\(path)' </dev/null"
        )
        return path
    }

    private func convert(_ source: String, _ format: String, _ options: [String]) -> (
        outcome: Tool.Outcome, bytes: [UInt8]
    ) {
        let output = scratch.path("out.\(format)")
        let still = ["png", "jpg"].contains(format) ? ["--still"] : []
        let outcome = Tool.run(
            ["convert", source, "-o", output, "--force", "-j", "1"] + still + options)
        return (outcome, outcome.status == 0 ? Tool.bytes(output) : [])
    }

    @Test(.needs("ffmpeg"), arguments: formats)
    func `each option has an effect or is refused`(format: String) throws {
        let source = source()
        let place = try #require(Self.formats.firstIndex(of: format))
        let plain = convert(source, format, [])
        #expect(plain.outcome.status == 0, "\(plain.outcome.errors)")
        for (option, effects) in Self.table {
            let effect = effects.split(separator: " ")[place]
            let made = convert(source, format, option.split(separator: " ").map(String.init))
            let said = "\(option) \(format): \(made.outcome.errors)"
            switch effect {
            case "-":
                #expect(made.outcome.status == 64, "\(said)")
                #expect(made.outcome.errors.contains(option.prefix { $0 != " " }), "\(said)")
                #expect(made.outcome.errors.lowercased().contains(format), "\(said)")
            case "+":
                #expect(made.outcome.status == 0, "\(said)")
                #expect(made.bytes != plain.bytes, "\(said)")
            case "!":
                // The content forbids it: transparency is in video with loss.
                #expect(made.outcome.status == 65, "\(said)")
            default:
                #expect(made.outcome.status == 0, "\(said)")
            }
        }
    }

    @Test(arguments: [
        (["--quality", "50", "-f", "png"], "--quality"),
        (["--effort", "3", "-f", "ppm"], "--effort"),
        (["--background", "white"], "--background"),
        (["--quality", "3", "-f", "raw"], "--quality"),
        (["--background", "white", "-f", "raw"], "--background"),
    ])
    func `a poster refuses what has no effect`(options: [String], name: String) {
        let said = Tool.run(["poster", Media.path("small.mp4"), "-o", "-"] + options)
        #expect(said.status == 64)
        #expect(said.errors.contains(name))
        #expect(said.output.isEmpty)
    }

    @Test(arguments: ["png", "jpg"])
    func `more effort never makes a larger picture`(format: String) {
        for source in ["clip.mp4", "counter.gif", "still-rgb8.png", "still-palette.png"] {
            let sizes = (0...10).map { effort in
                Tool.run([
                    "poster", Media.path(source), "-o", "-", "-f", format, "--effort", "\(effort)",
                ]).output.count
            }
            #expect(sizes.allSatisfy { $0 > 0 })
            #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 >= $1 }, "\(source): \(sizes)")
        }
    }
}
