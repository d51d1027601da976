/// The keys of the player.
enum PlayerKeys {
    /// A group of keys with one purpose.
    struct Binding: Sendable {
        /// The keys as people call them, and what they do.
        let names: String, title: String
        /// The characters, and the sequences of keys without any, with their events.
        let events: [String: TerminalEvent]
    }

    /// All keys, in the order of the help.
    static let all = [
        Binding(
            names: "Space, k", title: "pause, continue", events: [" ": .pause, "k": .pause]),
        Binding(
            names: ". and ,", title: "next and previous frame",
            events: [".": .step(1), ",": .step(-1)]),
        Binding(
            names: "Right, Left", title: "5 seconds forward, back",
            events: ["C": .seek(.seconds(5)), "D": .seek(.seconds(-5))]),
        Binding(
            names: "Shift+Right, Left", title: "1 second forward, back",
            events: ["1;2C": .seek(.seconds(1)), "1;2D": .seek(.seconds(-1))]),
        Binding(
            names: "Up, Down", title: "1 minute forward, back",
            events: ["A": .seek(.seconds(60)), "B": .seek(.seconds(-60))]),
        Binding(
            names: "0 to 9", title: "to 0 % ... 90 % of the length",
            events: Dictionary(
                uniqueKeysWithValues: (0...9).map { (String($0), .percent($0 * 10)) })),
        Binding(
            names: "Home, End", title: "first and last frame",
            events: [
                "H": .percent(0), "1~": .percent(0), "7~": .percent(0), "F": .percent(100),
                "4~": .percent(100), "8~": .percent(100),
            ]),
        Binding(
            names: "] and [, =", title: "faster and slower, normal speed",
            events: ["]": .speed(1), "[": .speed(-1), "=": .speed(0)]),
        Binding(
            names: "n, p", title: "next and previous input",
            events: ["n": .input(1), "p": .input(-1)]),
        Binding(
            names: "Page Down, Page Up", title: "next and previous chapter, or input without any",
            events: ["6~": .chapter(1), "5~": .chapter(-1)]),
        Binding(names: "l", title: "loop forever, or end after this play", events: ["l": .loop]),
        Binding(
            names: "s", title: "save the frame as PNG in the current folder",
            events: ["s": .screenshot]),
        Binding(names: "i", title: "show or hide this status line", events: ["i": .status]),
        Binding(names: "?, h", title: "this list", events: ["?": .help, "h": .help]),
        Binding(names: "q, Escape", title: "quit", events: ["q": .quit, "Q": .quit]),
    ]

    private static let events: [String: TerminalEvent] = all.reduce(into: [:]) { table, binding in
        table.merge(binding.events) { first, _ in first }
    }

    /// The event of a character.
    static func event(of character: UInt8) -> TerminalEvent? {
        // Capital letters are the last characters of sequences, in the same table.
        let isSequence = (UInt8(ascii: "A")...UInt8(ascii: "H")).contains(character)
        return isSequence ? nil : events[String(decoding: [character], as: UTF8.self)]
    }

    /// The event of a key without a character, by what follows CSI or SS3.
    static func event(ofSequence text: String) -> TerminalEvent? {
        guard let last = text.last, "ABCDFH~".contains(last) else { return nil }
        // A modifier without a meaning of its own is ignored.
        return events[text] ?? events[text.split(separator: ";").count > 1 ? String(last) : text]
    }
}
