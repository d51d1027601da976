import LazyMedia
import Testing

@testable import LazyTerminal

/// What keys mean to the player.
@Suite struct KeyTests {
    @Test(
        arguments: [
            ("q", [.quit]), ("Q", [.quit]), ("\u{1B}", [.quit]), ("", [.quit]), (" ", [.pause]),
            (".", [.step]), ("\u{1B}[C", [.seek(.seconds(5))]), ("\u{1B}[D", [.seek(.seconds(-5))]),
            ("\u{1B}OC", [.seek(.seconds(5))]), ("\u{1B}OD", [.seek(.seconds(-5))]),
            ("\u{1B}[1;5C", [.seek(.seconds(5))]), ("\u{1B}[A", []), ("\u{1B}x", []),
            ("\u{1B}[", []), ("x", []), ("xq", [.quit]),
            (
                "\u{1B}[C\u{1B}[C .",
                [.seek(.seconds(5)), .seek(.seconds(5)), .pause, .step]
            ),
        ] as [(String, [TerminalEvent])])
    func `keys have their events, also several at once`(text: String, events: [TerminalEvent]) {
        #expect(KeyReader.events(Array(text.utf8)) == events)
    }
}
