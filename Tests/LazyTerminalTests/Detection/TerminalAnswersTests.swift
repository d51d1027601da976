import LazyMedia
import Testing

@testable import LazyTerminal

@Suite struct TerminalAnswersTests {
    /// What Debian's terminals answer to the batch, as recorded from them.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var answer: String
        var environment: [String: String] = [:]
        var kitty: TerminalGraphics.Transfer?
        var animates = false
        var sixels: Int?
        var hasITerm2 = false
    }

    static let cases = [
        Case(
            testDescription: "kitty with shared memory",
            answer:
                "^_Gi=31;OK^\\^_Gi=32;OK^\\^_Gi=33;OK^\\^[6;20;9t^[4;480;720t^P>|kitty(0.26.5)^\\^[?62;c",
            kitty: .memory, animates: true),
        Case(
            testDescription: "kitty over ssh",
            answer:
                "^_Gi=31;OK^\\^_Gi=32;EBADF:x^\\^_Gi=33;EBADF:x^\\^P>|kitty(0.26.5)^\\^[?62;c",
            kitty: .direct, animates: true),
        Case(
            testDescription: "a terminal that takes kitty's pictures from files",
            answer:
                "^_Gi=31;OK^\\^_Gi=32;ENOTSUPPORTED:x^\\^_Gi=33;OK^\\^P>|WezTerm 2024^\\^[?65;4;6c",
            kitty: .files, sixels: 256, hasITerm2: true),
        Case(
            testDescription: "foot",
            answer: "^[6;17;8t^[4;408;640t^P>|foot(1.13.1)^\\^[?62;4;22c", sixels: 256),
        Case(
            testDescription: "xterm", answer: "^P>|XTerm(379)^\\^[?64;1;2;6;9;15;16;17;18;21;22;28c"
        ),
        Case(
            testDescription: "xterm as a VT340",
            answer: "^P>|XTerm(379)^\\^[?63;1;2;4;6;9;15;16;22;28c", sixels: 256),
        Case(
            testDescription: "an attribute of 40 is not 4", answer: "^[?62;40;14c"),
        Case(
            testDescription: "a silent terminal of foot's name", answer: "",
            environment: ["TERM": "foot-extra"], sixels: 256),
        Case(
            testDescription: "a silent terminal of kitty's name", answer: "",
            environment: ["TERM": "xterm-kitty"], kitty: .direct, animates: true),
        Case(
            testDescription: "a silent iTerm2", answer: "",
            environment: ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], hasITerm2: true),
        Case(
            testDescription: "an answer counts more than the environment",
            answer: "^P>|XTerm(379)^\\^[?64;1c",
            environment: ["KITTY_WINDOW_ID": "1", "TERM_PROGRAM": "iTerm.app"]),
    ]

    private static func bytes(_ text: String) -> [UInt8] {
        Array(text.replacing("^", with: "\u{1B}").utf8)
    }

    @Test(arguments: cases) func `the answers tell what a terminal can do`(_ item: Case) {
        let answers = TerminalAnswers(Self.bytes(item.answer))
        let graphics = TerminalGraphics(answers) { item.environment[$0] }
        #expect(graphics.kitty == item.kitty)
        #expect(graphics.animates == item.animates)
        #expect(graphics.sixelColors == item.sixels)
        #expect(graphics.hasITerm2 == item.hasITerm2)
    }

    @Test(arguments: cases.map { bytes($0.answer) }.filter { !$0.isEmpty })
    func `an answer is complete with its last byte and not before`(bytes: [UInt8]) {
        for count in 0..<bytes.count {
            #expect(TerminalAnswers(Array(bytes[..<count])).attributes == nil)
        }
        #expect(TerminalAnswers(bytes).attributes != nil)
    }

    @Test func `sizes and colors are read, and typed keys are ignored`() {
        let answers = TerminalAnswers(Self.bytes("xq^[A^[6;21;10t^[?1;0;1024S^[4;480;800t^[?62;4c"))
        #expect(answers.cell == PixelSize(width: 10, height: 21))
        #expect(answers.area == PixelSize(width: 800, height: 480))
        #expect(answers.sixelColors == 1024)
        #expect(answers.hasSixels)
    }

    @Test(arguments: [
        "^[6;0;0t^[?c", "^[6;99999999999999999999;1t^[?62;4c", "^_G^\\^[?1;0S^[?;c", "^[?",
    ])
    func `odd answers are no sizes`(text: String) {
        let answers = TerminalAnswers(Self.bytes(text))
        #expect(answers.cell == nil)
        #expect(answers.sixelColors == nil)
    }

    @Test func `the batch ends with the question that every terminal answers`() {
        let query = TerminalQuery(memory: "/m", file: "/tmp/f")
        #expect(query.text.hasSuffix("\u{1B}[c"))
        #expect(query.text.contains("t=s,f=24;L20=\u{1B}\\"))
        #expect(query.text.contains("t=t,f=24;L3RtcC9m\u{1B}\\"))
    }

    @Test func `in tmux no sequence is sent that would become a title`() {
        var query = TerminalQuery(memory: "/m", file: nil)
        query.isForTmux = true
        #expect(
            query.text
                == [("32", "s", "L20="), ("31", "d", "AAAA")].map { number, medium, data in
                    "\u{1B}Ptmux;\u{1B}\u{1B}_Gi=\(number),s=1,v=1,a=q,t=\(medium),f=24;\(data)\u{1B}\u{1B}\\\u{1B}\\"
                }.joined())
    }

    @Test(arguments: [
        ("1|xterm-kitty|kitty(0.26.5)|11|80|80\n", true, true, "xterm-kitty", "kitty"),
        ("on|xterm-256color|XTerm(379)|01|39|80\n", true, false, "xterm-256color", "XTerm"),
        ("0|foot|foot(1.13.1)|10|80|\n", false, false, "foot", "foot"),
        ("|screen||11|80|80\n", false, false, "screen", nil), ("", false, false, "", nil),
    ])
    func `tmux tells the terminal around it`(
        answer: String, passes: Bool, isKitty: Bool, term: String, program: String?
    ) {
        let tmux = Tmux(answer: answer)
        #expect(tmux.passesThrough == passes)
        #expect(tmux.isKitty == isKitty)
        #expect(tmux.environment("TERM") == term)
        #expect(tmux.environment("TERM_PROGRAM") == program)
    }

    @Test(arguments: [
        ("1|xterm-kitty|kitty(0.26.5)|11|80|80\n", true, true),
        // The other pane has the keys, and would get the answer as keys.
        ("1|xterm-kitty|kitty(0.26.5)|01|39|80\n", false, false),
        ("1|xterm-kitty|kitty(0.26.5)|10|80|80\n", false, true),
        ("1|xterm-kitty|kitty(0.26.5)|11||\n", true, true), ("", false, false),
    ])
    func `a terminal is only asked from the pane that gets the answer`(
        answer: String, isAnswered: Bool, isWhole: Bool
    ) {
        let tmux = Tmux(answer: answer)
        #expect(tmux.isAnswered == isAnswered)
        #expect(tmux.isWhole == isWhole)
    }
}
