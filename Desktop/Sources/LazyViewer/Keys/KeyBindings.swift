/// The keys of the viewer; pure, in the notation of `gtk_accelerator_parse`.
package enum KeyBindings {
    /// The keys of each command, in the order of the overlay.
    package static let all: [(command: ViewerCommand, keys: [String])] = [
        (.nextItem, ["Right", "Page_Down", "n"]), (.previousItem, ["Left", "Page_Up", "p"]),
        (.firstItem, ["Home"]), (.lastItem, ["End"]), (.open, ["<Control>o"]),
        (.copyFrame, ["<Control>c"]), (.saveFrame, ["<Control>s"]), (.retry, ["F5"]),
        (.playPause, ["space", "k"]), (.nextFrame, ["period"]), (.previousFrame, ["comma"]),
        (.forward, ["<Shift>Right"]), (.back, ["<Shift>Left"]),
        (.forwardLong, ["<Control>Right"]), (.backLong, ["<Control>Left"]),
        (.start, ["BackSpace"]), (.faster, ["bracketright"]), (.slower, ["bracketleft"]),
        (.normalSpeed, ["equal"]), (.reverse, ["minus"]), (.toggleLoop, ["l"]),
        (.zoomIn, ["plus", "<Control>plus", "KP_Add", "Up"]),
        (.zoomOut, ["underscore", "<Control>minus", "KP_Subtract", "Down"]),
        (.fit, ["0", "<Control>0"]), (.actualSize, ["1"]), (.rotateRight, ["r"]),
        (.rotateLeft, ["<Shift>r"]), (.fullScreen, ["f", "F11"]), (.information, ["i"]),
        (.grid, ["g", "Return"]), (.escape, ["Escape"]), (.help, ["question", "F1"]),
        (.quit, ["q", "<Control>q", "<Control>w"]),
    ]

    /// Commands that the grid has too; its arrows move the selection.
    package static let ofGrid: Set<ViewerCommand> = [
        .open, .fullScreen, .escape, .help, .quit,
    ]

    /// The command of a key, given as its name and the modifiers held down.
    package static func command(
        _ name: String, control: Bool, shift: Bool, isGrid: Bool = false
    ) -> ViewerCommand? {
        // The name of a shifted sign says that it is shifted; that of a letter is its small one.
        let isLetter = name.count == 1 && name.first?.isLetter == true
        let isNamed = name.count > 1 && name.first?.isUppercase == true
        let key =
            (shift && (isLetter || isNamed) ? "<Shift>" : "") + (control ? "<Control>" : "")
            + (isLetter ? name.lowercased() : name)
        guard let command = commands[key], !isGrid || ofGrid.contains(command) else { return nil }
        return command
    }

    private static let commands: [String: ViewerCommand] = {
        var commands: [String: ViewerCommand] = [:]
        for (command, keys) in all { for key in keys { commands[key] = command } }
        return commands
    }()

    /// The overlay of keys, for `GtkBuilder`.
    package static var overlay: String {
        let groups = ViewerCommand.Group.allCases.map { group in
            let shortcuts = all.filter { $0.command.group == group }.map { command, keys in
                """
                <child><object class="GtkShortcutsShortcut">
                <property name="title">\(command.title)</property>
                <property name="accelerator">\(escaped(keys.prefix(2).joined(separator: " ")))</property>
                </object></child>
                """
            }
            return """
                <child><object class="GtkShortcutsGroup"><property name="title">\(group.rawValue)</property>
                \(shortcuts.joined(separator: "\n"))
                </object></child>
                """
        }
        return """
            <interface><object class="GtkShortcutsWindow" id="keys"><property name="modal">1</property>
            <child><object class="GtkShortcutsSection"><property name="section-name">keys</property>
            <property name="max-height">16</property>
            \(groups.joined(separator: "\n"))
            </object></child></object></interface>
            """
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            default: result.append(character)
            }
        }
        return result
    }
}
