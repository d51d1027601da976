import Glibc
import HTTPSupport
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// Playing on a terminal, which tmux stands for where it is installed.
@Suite(.ownThreads, .needs("tmux"), .serialized)
struct TmuxTests {
    private let scratch = Scratch()

    /// Runs a script with `t` for tmux, `play` to begin in a pane, and `until` to wait for a state.
    private func session(_ script: String) -> Tool.Outcome {
        Tool.shell(
            """
            t() { tmux -u -f /dev/null -S '\(scratch.path("socket"))' "$@"; }
            state() { t display -p '#{alternate_on}#{cursor_flag}'; }
            until_state() { n=0; while [ "$(state)" != "$1" ] && [ $n -lt 6000 ]; do n=$((n+1)); done; }
            until_file() { n=0; while [ ! -s "$1" ] && [ $n -lt 6000 ]; do state >/dev/null; n=$((n+1)); done; }
            until_drawn() { n=0; while ! t capture-pane -e -p | grep -q . && [ $n -lt 6000 ]; do n=$((n+1)); done; }
            until_raw() { n=0; while ! stty -a -F "$(t display -p '#{pane_tty}')" | grep -q -e -icanon && [ $n -lt 3000 ]; do n=$((n+1)); done; }
            until_change() { old=$(t capture-pane -p -e); n=0; while [ "$(t capture-pane -p -e)" = "$old" ] && [ $n -lt 2000 ]; do n=$((n+1)); done; [ $n -lt 2000 ] && echo changed; }
            rm -f '\(scratch.path("before"))' '\(scratch.path("code"))' '\(scratch.path("after"))'
            t new-session -d -x 40 -y 12 sh
            play() {
              t send-keys "stty -a >'\(scratch.path("before"))'; $lazyimg play $1; echo \\$? >'\(scratch.path("code"))'; stty -a >'\(scratch.path("after"))'" Enter
              ${2:-until_state 10}
            }
            \(script)
            until_file '\(scratch.path("after"))'
            state
            t kill-server
            """)
    }

    private func expectRestored(_ outcome: Tool.Outcome, code: String) {
        #expect(outcome.text == "01\n")
        #expect(scratch.text("code") == "\(code)\n")
        #expect(scratch.text("after") == scratch.text("before"))
        #expect(!scratch.text("before").isEmpty)
    }

    @Test(arguments: [("q", "0"), ("Escape", "0"), ("C-c", "130"), ("C-\\\\", "131")])
    func `a key quits and restores the terminal`(key: String, code: String) {
        let outcome = session("play '\(Media.path("counter.gif"))'; t send-keys \(key)")
        expectRestored(outcome, code: code)
    }

    @Test func `a termination restores the terminal`() {
        let outcome = session(
            """
            play '\(Media.path("counter.gif"))'
            kill -TERM $(ps -o pid= --ppid $(t display -p '#{pane_pid}'))
            """)
        expectRestored(outcome, code: "143")
    }

    @Test func `no part of the frame remains when the window has grown`() {
        let outcome = session(
            """
            play '\(Media.path("counter.gif")) --glyphs blocks'
            t resize-window -x 60 -y 24
            n=0; while ! t capture-pane -p -S 13 | grep -q '▀' && [ $n -lt 6000 ]; do n=$((n+1)); done
            t send-keys q
            until_file '\(scratch.path("after"))'
            t capture-pane -p -S - >'\(scratch.path("left"))'
            """)
        #expect(outcome.text == "01\n")
        #expect(scratch.text("code") == "0\n")
        #expect(scratch.text("left").contains("lazyimg"))
        #expect(!scratch.text("left").contains("▀"))
    }

    /// An environment, and what is in the sequences of the cells that are drawn in it.
    @Test(arguments: [
        ("TERM=tmux-256color LANG=C.UTF-8", ";5;", "▀"),
        ("TERM=tmux-256color COLORTERM=truecolor LANG=C.UTF-8", ";2;", "▀"),
        ("TERM=tmux-256color LANG=C", "8;5;", ""), ("TERM=linux LANG=C.UTF-8", "[9", ""),
        ("TERM=tmux NO_COLOR=1 LANG=C.UTF-8", "", "▀"),
    ])
    func `the terminal shows the frame`(
        environment: String, colors: String, glyph: String
    ) {
        let outcome = session(
            """
            t send-keys 'unset COLORTERM LC_ALL LC_CTYPE NO_COLOR TERM_PROGRAM; export \(environment)' Enter
            play '\(Media.path("counter.gif"))'
            until_drawn
            t capture-pane -e -p >'\(scratch.path("drawn"))'
            t send-keys q
            """)
        expectRestored(outcome, code: "0")
        let drawn = scratch.text("drawn")
        #expect(!drawn.isEmpty)
        #expect(colors.isEmpty ? !drawn.contains("\u{1B}") : drawn.contains(colors))
        for other in [";5;", ";2;", "▀"] where !(colors + glyph).contains(other) {
            #expect(!drawn.contains(other))
        }
        #expect(drawn.utf8.allSatisfy { $0 < 128 } == glyph.isEmpty)
    }

    @Test func `a terminal without a cursor shows one frame as text`() {
        _ = session(
            """
            t send-keys "TERM=dumb $lazyimg play '\(Media.path("counter.gif"))' >'\(scratch.path("lines"))'" Enter
            t send-keys "TERM=dumb $lazyimg play '\(Media.path("counter.gif"))'; echo \\$? >'\(scratch.path("after"))'" Enter
            until_file '\(scratch.path("after"))'
            t capture-pane -J -p -S - >'\(scratch.path("left"))'
            """)
        #expect(scratch.text("after") == "0\n")
        #expect(scratch.text("left").contains("only the first frame is shown."))
        #expect(scratch.text("left").utf8.allSatisfy { $0 < 128 })
    }

    @Test func `a written poster is reported on a terminal`() {
        _ = session(
            """
            t send-keys "$lazyimg poster '\(Media.path("small.mp4"))' -o '\(scratch.path("p.png"))'; echo >'\(scratch.path("after"))'" Enter
            until_file '\(scratch.path("after"))'
            t capture-pane -J -p -S - >'\(scratch.path("left"))'
            """)
        #expect(scratch.text("left").contains("p.png: 160x96, frame "))
    }

    /// Without Swift's own account of a crash, which asks on a terminal whether to go on.
    @Test(
        arguments: [SIGABRT, SIGUSR1, SIGALRM, SIGXCPU, SIGIO]
            + (Sanitizer.isLinked ? [] : [SIGSEGV]))
    func `an unhandled signal restores the terminal and ends the process`(number: CInt) {
        let outcome = session(
            """
            t send-keys 'export SWIFT_BACKTRACE=enable=no' Enter
            play '\(Media.path("counter.gif"))'
            kill -\(number) $(ps -o pid= --ppid $(t display -p '#{pane_pid}'))
            """)
        expectRestored(outcome, code: "\(128 + number)")
    }

    @Test func `it ends after the requested plays`() {
        expectRestored(session("play '\(Media.path("loop-0.gif")) --loop 2'"), code: "0")
    }

    @Test func `media from standard input leaves keys to the terminal`() {
        let outcome = session("play '- <\(Media.path("clip.mp4"))'; t send-keys q")
        expectRestored(outcome, code: "0")
    }

    private func remote(_ server: ScriptedServer) -> String {
        "\(server.url("/clip")) --cache-dir \(scratch.path("cache"))"
    }

    @Test(arguments: [("counter.gif", 30_000)])
    func `the loaded part is shown while the rest loads`(name: String, held: Int) throws {
        let server = try plainServer(Tool.bytes(Media.path(name)), holding: held)
        let outcome = session(
            """
            play '\(remote(server)) --loop 1'; state >'\(scratch.path("during"))'
            "$lazyimg" fetch \(server.url("/go")) -o /dev/null --no-cache
            """)
        #expect(scratch.text("during") == "10\n")
        expectRestored(outcome, code: "0")
        // An address whose name tells nothing is asked for a range first; the third opens the gate.
        #expect(server.requests.count == 3)
    }

    /// A server without ranges that holds the end of a file back until it is asked for `/go`.
    private func plainServer(_ bytes: [UInt8], holding count: Int) throws -> ScriptedServer {
        let gate = Gate()
        return try ScriptedServer { request in
            if request.path == "/go" {
                return [.open(gate), .send(Response.head(204, count: nil))]
            }
            let head = Response.head(200, headers: [("ETag", "\"1\"")], count: bytes.count)
            return [
                .send(head + bytes.dropLast(count)), .wait(gate), .send(bytes.suffix(count)),
            ]
        }
    }

    @Test func `a video without ranges plays while it loads`() throws {
        let bytes = MovieForge.spread(
            Tool.bytes(Media.path("clip.mp4")), room: 0, tablesFirst: true)
        let server = try plainServer(bytes, holding: 60_000)
        let outcome = session(
            """
            play '\(remote(server)) --loop 1'; until_change >'\(scratch.path("during"))'
            "$lazyimg" fetch \(server.url("/go")) -o /dev/null --no-cache
            """)
        #expect(scratch.text("during") == "changed\n")
        expectRestored(outcome, code: "0")
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [("q", "0"), ("C-c", "130")])
    func `a key quits while a video's tables are missing`(key: String, code: String) throws {
        let bytes = MovieForge.spread(
            Tool.bytes(Media.path("clip.mp4")), room: 0, tablesFirst: false)
        let server = try plainServer(bytes, holding: 20_000)
        let outcome = session(
            """
            play '\(remote(server))' until_raw; state >'\(scratch.path("during"))'
            t send-keys x x \(key)
            """)
        #expect(scratch.text("during") == "01\n")
        expectRestored(outcome, code: code)
    }

    @Test(arguments: [true, false])
    func `a video plays by ranges, and from the cache the second time`(tablesFirst: Bool) throws {
        let bytes = MovieForge.spread(
            Tool.bytes(Media.path("clip.mp4")), room: 500_000, tablesFirst: tablesFirst)
        let server = try ScriptedServer { request in
            .serve(bytes, to: request, etag: "\"1\"", cacheControl: "max-age=600")
        }
        let play = "play '\(remote(server)) --loop 1'"
        expectRestored(session(play), code: "0")
        let count = server.requests.count
        #expect(server.requests.allSatisfy { $0["Range"] != nil })
        let poster = Tool.shell(
            "\"$lazyimg\" poster \(remote(server)) --at 1 -o '\(scratch.path("poster.png"))'")
        #expect(poster.status == 0, "\(poster.errors)")
        expectRestored(session(play), code: "0")
        #expect(server.requests.count == count)
    }

    @Test(arguments: ["q", "Escape"])
    func `a key quits while bytes are missing`(key: String) throws {
        let bytes = MovieForge.spread(
            Tool.bytes(Media.path("clip.mp4")), room: 500_000, tablesFirst: true)
        let gate = Gate()
        let server = try ScriptedServer { request in
            if request["Range"] == "bytes=0-65535" {
                return .serve(bytes, to: request, etag: "\"1\"")
            }
            return [.wait(gate)]
        }
        let outcome = session("play '\(remote(server))' until_raw; t send-keys \(key)")
        expectRestored(outcome, code: "0")
    }

    @Test func `an animation that is quit is not reported as damaged`() throws {
        let server = try plainServer(
            Tool.bytes(Media.path("counter.gif")), holding: 30_000)
        let outcome = session(
            "play '\(remote(server)) 2>\(scratch.path("errors"))'; t send-keys q")
        expectRestored(outcome, code: "0")
        #expect(scratch.text("errors") == "")
    }

    @Test(arguments: [("q", "0"), ("C-c", "130")])
    func `a cancelled download continues`(key: String, code: String) throws {
        // Much more than is read ahead.
        let bytes = MovieForge.spread(
            Tool.bytes(Media.path("clip.mp4")), room: 4_000_000, tablesFirst: true)
        let server = try ScriptedServer { request in
            .serve(bytes, to: request, etag: "\"1\"")
        }
        let outcome = session("play '\(remote(server))'; t send-keys \(key)")
        expectRestored(outcome, code: code)
        let again = Tool.shell("\"$lazyimg\" fetch \(remote(server)) --json -o -")
        #expect(again.output == bytes)
        #expect(again.errors.contains("\"from\": \"resumed\""))
    }
}

private typealias Response = ScriptedServer.Response
