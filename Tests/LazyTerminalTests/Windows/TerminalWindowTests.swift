import LazyMedia
import Support
import Testing
import ToolSupport

/// Pictures on the screens of real terminals, compared with the frames that ImageMagick decodes.
@Suite(
    .ownThreads, .serialized, .opensWindows, .needs("Xvfb", "convert", "xdotool"))
struct TerminalWindowTests {
    private let scratch = Scratch()
    private static let size = "160x96"

    /// Adjacent frames of the counter differ by 0.13, and a frame and its sixels by 0.02.
    private static let most = 0.05

    init() {
        let outcome = Tool.shell(
            """
            cd '\(scratch.path)' && convert '\(Media.path("counter.gif"))' -coalesce f%02d.png
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func frame(_ name: String, after keys: [String] = []) -> TerminalWindow.Step {
        .picture(name + ".png", Self.size, after: keys, most: Self.most)
    }

    /// Stops at the first frame, and goes forward and back.
    private var frames: [TerminalWindow.Step] {
        [
            .anything, frame("f00", after: ["space", "0"]),
            frame("f03", after: ["period", "period", "period"]), frame("f02", after: ["comma"]),
            frame("f29", after: ["End"]),
        ]
    }

    private func play(_ options: String = "") -> String {
        "\"$lazyimg\" play --cells 60x20 \(options) '\(Media.path("counter.gif"))'"
    }

    // As pixels; half blocks would be as wide, and as high.
    private func expectShape(_ outcome: TerminalWindow.Outcome) throws {
        try #require(outcome.isAsExpected, "\(outcome.log)")
        #expect(outcome.numbers.count == 2)
        let (width, height) = (Double(outcome.numbers[0]), Double(outcome.numbers[1]))
        #expect(width > 300)
        #expect(abs(width / height - 160 / 96) < 0.1)
    }

    @Test(.needs("kitty"))
    func `kitty shows the frames that keys lead to, also after the list of keys`() throws {
        let steps =
            frames + [
                // The page of text has no green of the picture, and a key without a meaning leaves it.
                TerminalWindow.Step(
                    keys: ["question"],
                    isShown:
                        "[ \"$(seen -fill black -fuzz 10% +opaque '#3dd04c' -format %k info:)\" = 1 ]"
                ),
                frame("f29", after: ["x"]),
            ]
        try expectShape(
            TerminalWindow.kitty.follow(steps, in: scratch, running: play("--no-status")))
    }

    @Test(.needs("xterm")) func `xterm shows the frames that keys lead to as sixels`() throws {
        try expectShape(
            TerminalWindow.xterm.follow(frames, in: scratch, running: play("--no-status")))
    }

    @Test(.needs("foot", "weston"))
    func `foot shows the frames that keys lead to as sixels`() throws {
        try expectShape(
            TerminalWindow.foot.follow(frames, in: scratch, running: play("--no-status")))
    }

    @Test(.needs("kitty", "tmux")) func `tmux passes the frames through to kitty`() throws {
        scratch.write(
            Array("set -g allow-passthrough on\nset -g status off\n".utf8), "tmux.conf")
        scratch.write(Array(play("--no-status").utf8), "play.sh")
        try expectShape(
            TerminalWindow.kitty.follow(
                frames, in: scratch,
                running: "tmux -S ./tmux -f ./tmux.conf new-session 'sh ./play.sh'"))
    }

    /// The width, the height and the place of all that is on the screen.
    private static let place = """
        convert one.png -crop 980x680+0+0 +repage -bordercolor '#000000' -border 1 -trim \
        -format '%w %h %X %Y' info:
        """

    /// Runs a script in the right one of two panes, whose borders are not seen.
    private func rightPane(_ script: String) -> String {
        scratch.write(
            Array(
                """
                set -g allow-passthrough on
                set -g status off
                set -g pane-border-style fg=black
                set -g pane-active-border-style fg=black

                """.utf8), "tmux.conf")
        scratch.write(Array(script.utf8), "play.sh")
        let first = "printf '\\033[?25l'; exec sleep 200"
        return """
            tmux -u -S ./tmux -f ./tmux.conf new-session "\(first)" \\; split-window -h 'sh ./play.sh'
            """
    }

    // The terminal answers to the pane with the keys; without an answer cells are drawn.
    @Test(.needs("kitty", "tmux"), arguments: [true, false])
    func `the picture is in the pane of tmux that plays`(hasKeys: Bool) throws {
        let script = "sleep 1; \"$lazyimg\" play --no-status '\(Media.path("counter.gif"))'"
        let typed = "tmux -S ./tmux capture-pane -p -t 0 | tr -d '\\n' | wc -c"
        let panes = rightPane(script) + (hasKeys ? "" : " \\; select-pane -L")
        let outcome = TerminalWindow.kitty.follow(
            hasKeys ? frames : [.anything], in: scratch,
            report: Self.place + "\necho\n" + typed,
            running: panes)
        try #require(outcome.isAsExpected, "\(outcome.log)")
        try #require(outcome.numbers.count == 5)
        // Of 80 columns of 7 to 10 pixels, the pane has the last 39.
        #expect(outcome.numbers[2] > 41 * 7)
        #expect(outcome.numbers[0] < 40 * 10)
        // The other pane was not typed into.
        #expect(outcome.numbers[4] == 0)
    }

    /// Makes pictures of one color each, which their names say.
    private static let colors = """
        mkdir -p pictures
        for c in 1:red 2:lime 3:blue; do
        convert -size 60x40 xc:${c#*:} -type TrueColor "pictures/${c%:*}.png"; done
        """

    /// Where the pictures of the colors are: the width, the height and the place of each.
    private static let boxes = box + "\nbox red; box lime; box blue"

    private func boxes(_ outcome: TerminalWindow.Outcome) throws -> [[Int]] {
        try #require(outcome.isAsExpected, "\(outcome.log)")
        try #require(outcome.numbers.count == 12, "\(outcome.numbers) \(outcome.log)")
        return (0..<3).map { Array(outcome.numbers[($0 * 4)..<($0 * 4 + 4)]) }
    }

    /// Whether the last picture of a grid in two columns and rows has come.
    private static func grid(isWide: Bool) -> TerminalWindow.Step {
        TerminalWindow.Step(
            isShown: box + """

                set -- $(box red) $(box lime) $(box blue)
                [ $# = 12 ] && [ "$9" -gt 20 ] && [ "$((${7#+}+$5))" \(isWide ? "-gt" : "-lt") 740 ] \
                && [ "${7#+}" -gt "$((${3#+}+$1))" ] && [ "${12#+}" -gt "$((${4#+}+$2))" ]
                """)
    }

    /// The grid as it is at first, and when the window has become wider.
    private func expectGrid(
        in window: TerminalWindow, _ resize: String, running script: (String) -> String
    ) throws {
        let play = "\"$lazyimg\" play --grid 2x2 --no-status pictures/*"
        let outcome = window.follow(
            [
                Self.grid(isWide: false),
                TerminalWindow.Step(
                    before: resize, isShown: Self.grid(isWide: true).isShown),
            ], in: scratch, report: Self.boxes, running: Self.colors + "\n" + script(play))
        let boxes = try boxes(outcome)
        // Left and right, above and below.
        #expect(boxes[0][3] == boxes[1][3])
        #expect(abs(boxes[0][2] - boxes[2][2]) < 3)
    }

    private static let widerWindow = """
        xdotool windowsize "$(xdotool search --onlyvisible --name . | tail -n 1)" 990 640
        """

    @Test(.needs("kitty")) func `a grid fits kitty's window when it becomes wider`() throws {
        try expectGrid(in: .kitty, Self.widerWindow) { $0 }
    }

    @Test(.needs("xterm"), arguments: [true, false])
    func `a grid fits xterm's window when it becomes wider`(hasSixels: Bool) throws {
        try expectGrid(in: hasSixels ? .xterm : .plainXterm, Self.widerWindow) { $0 }
    }

    @Test(.needs("kitty", "tmux"), arguments: ["on", "off"])
    func `a grid fits a pane of tmux when it becomes wider`(passes: String) throws {
        scratch.write(
            Array("set -g allow-passthrough \(passes)\nset -g status off\n".utf8), "tmux.conf")
        try expectGrid(in: .kitty, Self.widerWindow) { play in
            "tmux -u -S ./tmux -f ./tmux.conf new-session '\(play)'"
        }
    }

    @Test(.needs("kitty")) func `kitty shows an animation to its end that is left to it`() throws {
        let outcome = TerminalWindow.kitty.follow(
            [
                TerminalWindow.Step(isShown: "[ \"$(cat status)\" = 0 ]"), frame("f29"),
            ], in: scratch, running: play("--leave --loop 1") + "; echo $? >status")
        try expectShape(outcome)
    }

    @Test(.needs("kitty")) func `after a signal the screen is as it was before`() throws {
        let outcome = TerminalWindow.kitty.follow(
            [
                .anything, frame("f00", after: ["space", "0"]),
                // Only the blue bar of five cells.
                TerminalWindow.Step(
                    keys: ["ctrl+c"],
                    isShown: """
                        [ "$(cat status)" = 130 ] && [ "$(seen -format '%k %[pixel:p{9,9}]' info:)" \
                        = '1 srgb(0,0,255)' ]
                        """),
            ], in: scratch,
            running: """
                trap : INT
                printf '\\033[48;2;0;0;255m     \\033[0m'
                \(play("--no-status")); echo $? >status
                """)
        try #require(outcome.isAsExpected, "\(outcome.log)")
        #expect(outcome.numbers.first.map { $0 < 100 } == true)
    }

    @Test(.needs("xterm")) func `all frames as sixels over each other are the last one`() throws {
        let outcome = TerminalWindow.xterm.follow(
            [frame("f04")], in: scratch,
            running: play("--protocol sixel --untimed --loop 1 --end 0.2") + " >frames; cat frames")
        try expectShape(outcome)
    }

    // Its name tells that xterm shows all colors, of which TERM=xterm has 16.
    @Test(.needs("xterm")) func `xterm without sixels shows half blocks in all colors`() throws {
        let cells = "60x36"
        let outcome = Tool.shell(
            "cd '\(scratch.path)' && convert f02.png -scale '\(cells)!' cells.png")
        #expect(outcome.status == 0)
        let steps = [
            TerminalWindow.Step.anything,
            .picture(
                "cells.png", cells, after: ["space", "0", "period", "period"], most: Self.most),
        ]
        try expectShape(
            TerminalWindow.plainXterm.follow(steps, in: scratch, running: play("--no-status")))
    }

    // Beside another pane, tmux moves text that scrolls by drawing it anew, and pictures would stay.
    @Test(.needs("kitty", "tmux"), arguments: [true, false])
    func `a folder is listed in tmux as pixels or as cells`(isWhole: Bool) throws {
        var session = rightPane(
            "\"$lazyimg\" ls --grid 3 pictures; echo $? >status; exec sleep 100")
        if isWhole {
            session = "tmux -u -S ./tmux -f ./tmux.conf new-session 'sh ./play.sh'"
        }
        let outcome = TerminalWindow.kitty.follow(
            [
                TerminalWindow.Step(
                    isShown: Self.box + """

                        [ "$(cat status)" = 0 ] || return
                        set -- $(box blue)
                        [ "$1" -gt 20 ]
                        """)
            ], in: scratch, report: Self.boxes, running: Self.colors + "\n" + session)
        let boxes = try boxes(outcome)
        #expect(boxes[0][3] == boxes[1][3])
        #expect(boxes[1][2] > boxes[0][2] + boxes[0][0])
        #expect(boxes[2][2] > boxes[1][2] + boxes[1][0])
        #expect(boxes[2][3] == boxes[0][3])
        // Pixels are not enlarged; cells fill their place.
        #expect((abs(boxes[0][0] - 60) < 3) == isWhole)
    }

    /// Shell functions: where the picture of a color is, and the size of what is right below it.
    private static let box = """
        box() {
            convert one.png -fuzz 10% -fill black +opaque "$1" -trim \
                -format '%w %h %X %Y ' info:
        }
        below() {
            convert one.png -crop "100x60+$((${3#+}-40))+$((${4#+}+$2))" +repage -trim \
                -format '%w %h' info:
        }
        """

    @Test(.needs("foot", "weston"))
    func `a folder is listed as pictures beside each other with names below`() throws {
        let outcome = TerminalWindow.foot.follow(
            [
                // The last picture and its name; the pointer is on the screen too.
                TerminalWindow.Step(
                    isShown: Self.box + """

                        [ "$(cat status)" = 0 ] || return
                        set -- $(box blue)
                        [ "$1" -gt 50 ] && set -- $(below "$@") && [ "$2" -gt 4 ]
                        """)
            ], in: scratch,
            report: Self.box + """

                box red; box lime; box blue
                below $(box lime)
                """,
            running: """
                mkdir pictures
                for c in 1:red 2:lime 3:blue; do
                convert -size 60x40 xc:${c#*:} -type TrueColor "pictures/${c%:*}.png"; done
                "$lazyimg" ls pictures; echo $? >status
                """)
        try #require(outcome.isAsExpected, "\(outcome.log)")
        let numbers = outcome.numbers
        try #require(numbers.count == 14, "\(numbers) \(outcome.log)")
        let boxes = (0..<3).map { Array(numbers[($0 * 4)..<($0 * 4 + 4)]) }
        for box in boxes {
            #expect(abs(box[0] - 60) < 3)
            #expect(abs(box[1] - 40) < 3)
            #expect(box[3] == boxes[0][3])
        }
        #expect(boxes[1][2] > boxes[0][2] + 100)
        #expect(abs(boxes[2][2] - 2 * boxes[1][2] + boxes[0][2]) < 3)
        // A line of text is lower than the picture.
        #expect((5..<30).contains(numbers[13]))
    }
}
