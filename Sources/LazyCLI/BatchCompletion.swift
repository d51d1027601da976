internal import ArgumentParser

/// Completion of the job's options after `batch`, and of words after `help`, which the parser's scripts lack.
enum BatchCompletion {
    /// The text with these additions if it is the script for a shell.
    static func added(to text: String) -> String {
        if text.hasPrefix("#!/bin/bash") { return text + "\n" + HelpCompletion.bash + bash }
        if text.hasPrefix("function __lazyimg") {
            return text + "\n" + HelpCompletion.fish + fish(text)
        }
        guard text.hasPrefix("#compdef"),
            let end = text.ranges(of: "\nif [[ \"${funcstack[1]}\"").last
        else { return text }
        return text[..<end.lowerBound] + "\n" + HelpCompletion.zsh + zsh + text[end.lowerBound...]
    }

    // The parser's function for a command reads the words after it and adds to COMPREPLY.
    private static var bash: String {
        let cases = BatchJobs.commands.map { command in
            return "        \(command.names.joined(separator: "|"))) job=\(command._commandName) ;;"
        }
        let valued = BatchCommand.known.valued.sorted().joined(separator: "|")
        return """
            # After the job of a batch, the options of the job are completed too.
            eval "_lazyimg_batch_alone$(declare -f _lazyimg_batch | sed '1s/^_lazyimg_batch//')"

            _lazyimg_batch() {
                local job= word
                for word in "${unparsed_words[@]::${#unparsed_words[@]}-1}"; do
                    case "${word}" in
            \(cases.joined(separator: "\n"))
                    esac
                    [[ -n "${job}" ]] && break
                done
                if [[ -z "${job}" ]]; then
                    _lazyimg_batch_alone
                    return
                fi
                local -a all_words=("${unparsed_words[@]}")
                case "${prev}" in
                \(valued)) ;;
                *)
                    "_lazyimg_${job}"
                    [[ "${cur}" = -* ]] || return
                    unparsed_words=("${all_words[@]}")
                    ;;
                esac
                _lazyimg_batch_alone
                # Some options are those of both.
                local -A seen=()
                local -a unique=()
                for word in "${COMPREPLY[@]}"; do
                    [[ -n "${seen[x${word}]}" ]] || unique+=("${word}")
                    seen[x${word}]=1
                done
                COMPREPLY=("${unique[@]}")
            }

            """
    }

    /// The lines for the options of jobs once more, on the condition that a batch has the job.
    private static func fish(_ text: String) -> String {
        let own = BatchCommand.known
        let lines = text.split(separator: "\n")
        let copies = BatchJobs.commands.flatMap { command in
            let start =
                "complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options \"lazyimg \(command._commandName)\""
            let job =
                "complete -c 'lazyimg' -n '__lazyimg_batch_job \(command.names.joined(separator: " "))"
            return lines.filter { $0.hasPrefix(start) }.compactMap { line -> String? in
                let rest = line.dropFirst(start.count).drop { $0 != "'" }
                let words = rest.split(separator: " ")
                let option = words.firstIndex(of: "-l").map { words[words.index(after: $0)] }
                let name = option.map { "--" + $0.filter { $0 != "'" } } ?? ""
                return own.valued.union(own.plain).contains(name) ? nil : job + rest
            }
        }
        return """
            # Whether the job of a batch has one of some names.
            function __lazyimg_batch_job
                set -l tokens (__lazyimg_tokens -pc)
                test "$tokens[2]" = batch; or return 1
                for name in $argv
                    contains -- $name $tokens[3..]; and return 0
                end
                return 1
            end

            \(copies.joined(separator: "\n"))

            """
    }

    private static var zsh: String {
        let cases = BatchJobs.commands.map { command in
            "        \(command.names.joined(separator: "|"))) job=\(command._commandName) ;;"
        }
        return """
            # After the job of a batch, the options of the job are completed too.
            functions[_lazyimg_batch_alone]=$functions[_lazyimg_batch]
            _lazyimg_batch() {
                local job= word
                local -i ret=1
                for word in "${(@)words[2,CURRENT-1]}"; do
                    case "${word}" in
            \(cases.joined(separator: "\n"))
                    esac
                    [[ -n "${job}" ]] && break
                done
                [[ -n "${job}" ]] && "_lazyimg_${job}" && ret=0
                _lazyimg_batch_alone && ret=0
                return "${ret}"
            }

            """
    }
}
