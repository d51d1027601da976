import Support
import ToolSupport

/// A window of a real terminal on a screen that nobody sees.
struct TerminalWindow: Sendable {
    /// The shell command that opens a window and runs `sh ./inside.sh` in it.
    private let command: String

    /// The color of the window and of the screen around it.
    private static let background = "#000000"

    static let kitty = TerminalWindow(
        command: """
            LIBGL_ALWAYS_SOFTWARE=1 KITTY_DISABLE_WAYLAND=1 exec kitty --config NONE \
            -o linux_display_server=x11 -o initial_window_width=80c -o initial_window_height=24c \
            -o remember_window_size=no -o update_check_interval=0 -o background=\(background) \
            sh ./inside.sh
            """)
    /// Without sixels: half blocks.
    static let plainXterm = TerminalWindow(command: xterm(of: "vt220"))
    static let xterm = TerminalWindow(command: xterm(of: "vt340"))
    static let foot = TerminalWindow(
        command: """
            printf '[shell]\\npanel-position=none\\nbackground-color=0xff000000\\n' >weston.ini
            weston --backend=x11-backend.so --use-pixman --width=1000 --height=700 \
            --socket=lazyimg --idle-time=0 --config="$PWD/weston.ini" &
            while [ ! -S lazyimg ] && kill -0 $!; do :; done
            WAYLAND_DISPLAY=lazyimg exec foot -m -o colors.background=\(background.dropFirst()) \
            -o csd.preferred=none sh ./inside.sh
            """)

    private static func xterm(of model: String) -> String {
        """
        exec xterm -ti \(model) -b 0 -bw 0 -fa 'DejaVu Sans Mono' -fs 10 -geometry 80x24+0+0 \
        -bg '\(background)' -fg white -e sh ./inside.sh
        """
    }

    /// Keys, and what they lead to.
    struct Step {
        /// Names as xdotool has them, pressed one after the other.
        var keys: [String] = []
        /// A shell command that runs before them.
        var before = ":"
        /// A shell command that succeeds when the screen, `one.png`, is as expected.
        let isShown: String

        /// The screen has something larger than a pointer.
        static let anything = Step(isShown: "[ $(seen -format %w info:) -gt 100 ]")

        /// All that the screen has is a picture, in any size: their root mean square difference,
        /// 0 to 1, is less than `most`.
        static func picture(
            _ file: String, _ size: String, after keys: [String] = [], most: Double
        ) -> Step {
            Step(
                keys: keys,
                isShown: """
                    seen -scale '\(size)!' seen.png
                    share=$(compare -metric RMSE seen.png '\(file)' null: 2>&1)
                    share=${share#*\\(}
                    awk "BEGIN { exit !(${share%\\)} < \(most)) }"
                    """)
        }
    }

    /// What happened.
    struct Outcome {
        /// Whether each step led to what was expected.
        let isAsExpected: Bool
        /// The numbers that were asked for at the end.
        let numbers: [Int]
        /// The step that failed, and what programs said.
        let log: String
    }

    /// The width and the height of what is on the screen.
    static let size = "seen -format '%w %h' info:"

    /// Runs a shell script in a window, follows the steps, and returns what `report` prints then.
    ///
    /// Each step waits until the screen is as expected, for a minute at most; keys are pressed when the
    /// step before has been reached. All programs are ended, whatever happens.
    func follow(
        _ steps: [Step], in scratch: Scratch, report: String = size, running script: String
    ) -> Outcome {
        // The shell stays, and no cursor is in the picture.
        scratch.write(
            Array("printf '\\033[?25l'\n\(script)\nexec cat >/dev/null\n".utf8), "inside.sh")
        scratch.write(Array((command + "\n").utf8), "window.sh")
        scratch.write(Array((program(steps) + report + "\n").utf8), "program.sh")
        let outcome = Tool.shell(
            "cd '\(scratch.path)' && export lazyimg && timeout -k 5 240 bash ./program.sh")
        return Outcome(
            isAsExpected: outcome.status == 0,
            numbers: outcome.text.split { !$0.isNumber }.compactMap { Int($0) },
            log: outcome.errors + scratch.text("window.log"))
    }

    private func program(_ steps: [Step]) -> String {
        let numbered = steps.enumerated().map { number, step in
            """
            \(step.before)
            press \(step.keys.joined(separator: " "))
            is_shown() {
            \(step.isShown)
            }
            await \(number)
            """
        }
        return Self.beginning + numbered.joined(separator: "\n") + "\n"
    }

    private static let beginning = """
        chmod 700 .
        mkfifo display
        export HOME="$PWD" XDG_RUNTIME_DIR="$PWD" LC_ALL=C.UTF-8
        unset TMUX WAYLAND_DISPLAY KITTY_WINDOW_ID COLORTERM NO_COLOR LAZYIMG_PROTOCOL
        # timeout ends all processes of a command, also those that it left.
        trap 'kill $window $screen; tmux -S ./tmux kill-server' EXIT
        exec 4>&2 2>log
        timeout 240 Xvfb -displayfd 3 -screen 0 1000x700x24 +extension GLX -nolisten tcp \
        3<>display & screen=$!
        read -r number <display
        export DISPLAY=:$number
        timeout 240 bash ./window.sh >window.log 2>&1 & window=$!
        # What is on the screen without the background.
        seen() {
            convert one.png -crop 980x680+0+0 +repage -bordercolor '\(background)' -border 1 \
                -trim +repage "$@"
        }
        # Keys go where the pointer is; weston wants to see it come.
        press() {
            [ $# = 0 ] || xdotool mousemove 60 150
            for key; do xdotool key "$key"; done
        }
        await() {
            local end=$((SECONDS + 60))
            while [ $SECONDS -lt $end ]; do
                import -window root one.png && is_shown && return
            done
            cat log >&4
            echo "step $1 failed" >&4
            exit 1
        }

        """
}
