internal import ArgumentParser

/// Completion of the job's options after `batch`, which the parser's script for bash lacks.
enum BatchCompletion {
    /// The text with the job's options added if it is the script for bash.
    static func added(to text: String) -> String {
        text.hasPrefix("#!/bin/bash") ? text + "\n" + script : text
    }

    // The parser's function for a command reads the words after it and adds to COMPREPLY.
    private static var script: String {
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
            }

            """
    }
}
