internal import ArgumentParser

/// Completion after `help`, for which the parser's scripts know no words: commands, their own ones, and topics.
enum HelpCompletion {
    private typealias Words = [(name: String, abstract: String)]

    private static func words(of command: any ParsableCommand.Type) -> Words {
        var words: Words = []
        for command in command.configuration.subcommands {
            let configuration = command.configuration
            guard configuration.shouldDisplay else { continue }
            words.append((command._commandName, configuration.abstract))
        }
        return words
    }

    /// The words after `help`.
    private static var first: Words {
        words(of: LazyImg.self)
            + HelpTopic.allCases.map { ($0.rawValue, "A topic of several commands.") }
    }

    /// The words after a command that has commands.
    private static var nested: [(parent: String, words: Words)] {
        LazyImg.configuration.subcommands.compactMap { command in
            let words = words(of: command)
            return words.isEmpty ? nil : (command._commandName, words)
        }
    }

    /// What replaces the function for bash.
    static var bash: String {
        let cases = nested.map { "    \($0.parent)) names='\(names($0.words))' ;;" }
        return """
            _lazyimg_help() {
                local names='\(names(first))'
                if [[ ${#unparsed_words[@]} -gt 1 ]]; then
                    names=
                    case "${unparsed_words[0]}" in
                \(cases.joined(separator: "\n    "))
                    esac
                fi
                COMPREPLY=($(compgen -W "${names}" -- "${cur}"))
            }

            """
    }

    /// What is added for fish.
    static var fish: String {
        let begin =
            "complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_positional \"lazyimg help\" -eq"
        let one = first.map { "\(begin) 1' -fa '\($0.name)' -d '\(quoted($0.abstract))'" }
        let two = nested.flatMap { parent, words in
            words.map { word in
                "\(begin) 2; and contains -- \(parent) (__lazyimg_tokens -pc)' -fa '\(word.name)' -d '\(quoted(word.abstract))'"
            }
        }
        return (one + two).joined(separator: "\n") + "\n"
    }

    /// What replaces the function for zsh.
    static var zsh: String {
        let cases = nested.map { "        \($0.parent)) names=(\(names($0.words))) ;;" }
        return """
            _lazyimg_help() {
                local -a names=(\(names(first)))
                if (( CURRENT > 2 )); then
                    names=()
                    case "${words[2]}" in
            \(cases.joined(separator: "\n"))
                    esac
                fi
                compadd -- "${names[@]}"
            }

            """
    }

    private static func names(_ words: Words) -> String {
        words.map(\.name).joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String { text.replacing("'", with: "\\'") }
}
