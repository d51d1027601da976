import LazyMedia
import Testing

@testable import LazyTerminal

/// What keys mean to the player.
@Suite struct KeyTests {
    @Test(
        arguments: [
            ("q", [.quit]), ("Q", [.quit]), ("\u{1B}", [.quit]), ("", [.quit]), (" ", [.pause]),
            (".", [.step(1)]), (",", [.step(-1)]), ("k", [.pause]), ("s", [.screenshot]),
            ("i", [.status]), ("l", [.loop]), ("?", [.help]), ("h", [.help]), ("n", [.input(1)]),
            ("p", [.input(-1)]), ("[", [.speed(-1)]), ("]", [.speed(1)]), ("=", [.speed(0)]),
            ("0", [.percent(0)]), ("7", [.percent(70)]), ("\u{1B}[H", [.percent(0)]),
            ("\u{1B}[4~", [.percent(100)]), ("\u{1B}OF", [.percent(100)]),
            ("\u{1B}[5~", [.chapter(-1)]), ("\u{1B}[6~", [.chapter(1)]),
            ("\u{1B}[1;2C", [.seek(.seconds(1))]), ("\u{1B}[1;2D", [.seek(.seconds(-1))]),
            ("\u{1B}[B", [.seek(.seconds(-60))]), ("\u{1B}[3~", [.otherKey]), ("A", [.otherKey]),
            ("H", [.otherKey]),
            ("\u{1B}_Gi=31;OK\u{1B}\\q", [.quit]), ("\u{1B}P>|foot(1)\u{1B}\\ ", [.pause]),
            ("\u{1B}[?62;4;22cq", [.quit]), ("\u{1B}[C", [.seek(.seconds(5))]),
            ("\u{1B}[D", [.seek(.seconds(-5))]),
            ("\u{1B}OC", [.seek(.seconds(5))]), ("\u{1B}OD", [.seek(.seconds(-5))]),
            ("\u{1B}[1;5C", [.seek(.seconds(5))]), ("\u{1B}[A", [.seek(.seconds(60))]),
            ("\u{1B}x", [.otherKey]), ("\u{1B}OP", [.otherKey]),
            ("\u{1B}[", []), ("x", [.otherKey]), ("xq", [.otherKey, .quit]),
            ("\u{1B}[8;24;80t", []),
            (
                "\u{1B}[C\u{1B}[C .",
                [.seek(.seconds(5)), .seek(.seconds(5)), .pause, .step(1)]
            ),
        ] as [(String, [TerminalEvent])])
    func `keys have their events, also several at once`(text: String, events: [TerminalEvent]) {
        #expect(KeyReader.events(Array(text.utf8)) == events)
    }

    @Test(arguments: [
        ("\u{1B}", true), (" \u{1B}", true), ("\u{1B}[", true), ("q\u{1B}[1;2", true),
        ("\u{1B}O", true), ("\u{1B}[1;2C", false), ("\u{1B}OF", false), ("\u{1B}x", false),
        ("q", false), ("", false), ("\u{1B}_Gi=31;OK\u{1B}\\", false),
        ("\u{1B}_Gi=31;ENO", true), ("\u{1B}P>|kitty(0", true), ("\u{1B}_Gi=31;OK\u{1B}", true),
        ("\u{1B}]11;rgb:0\u{07}", false),
    ])
    func `a key that was cut is waited for`(text: String, isCut: Bool) {
        #expect(KeyReader.endsInSequence(Array(text.utf8)) == isCut)
    }

    @Test func `the list of keys names each key, and fits a small terminal`() throws {
        let grid = try #require(CellGrid(checking: 80, 24))
        let page = HelpPage.text(grid)
        for binding in PlayerKeys.all { #expect(page.contains(binding.names + " ")) }
        #expect(page.split(separator: "\u{1B}[").count == PlayerKeys.all.count + 6)
        let small = try #require(CellGrid(checking: 20, 5))
        #expect(HelpPage.text(small).split(separator: "\u{1B}[").count == 7)
    }
}
