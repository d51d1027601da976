import Support
import Testing
import ToolSupport

/// Completions in real shells.
@Suite(.ownThreads) struct CompletionTests {
    private let scratch = Scratch()

    private func bash(_ line: String) -> [String] {
        let text = Tool.shell(
            """
            cd '\(scratch.path)'; "$lazyimg" --generate-completion-script bash > c.bash
            bash -c 'source ./c.bash
            IFS=" " read -ra COMP_WORDS <<< "\(line)"; [[ "\(line)" == *" " ]] && COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="\(line)"; COMP_POINT=${#COMP_LINE}
            _lazyimg lazyimg "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf "%s\\n" "${COMPREPLY[@]}"'
            """
        ).text
        return text.split(separator: "\n").map(String.init)
    }

    private func fish(_ line: String) -> [String] {
        let text = Tool.shell(
            """
            cd '\(scratch.path)'; export HOME=$PWD
            "$lazyimg" --generate-completion-script fish > c.fish
            fish --no-config -c 'function lazyimg; end; source c.fish; complete -C "\(line)"'
            """
        ).text
        return text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test(arguments: [
        ("lazyimg help ", ["poster", "cache", "limits", "isolation"]),
        ("lazyimg help po", ["poster"]), ("lazyimg help lim", ["limits"]),
        ("lazyimg help cache st", ["stats"]), ("lazyimg batch poster --wid", ["--width"]),
        ("lazyimg batch poster --subtitle-e", ["--subtitle-encoding"]),
    ])
    func `bash completes words after help, and the options of a job`(
        line: String, words: [String]
    ) {
        let found = bash(line)
        #expect(words.allSatisfy(found.contains), "\(found)")
    }

    @Test(
        .needs("fish"),
        arguments: [
            ("lazyimg help ", ["poster", "cache", "limits", "isolation"]),
            ("lazyimg help po", ["poster"]), ("lazyimg help cache st", ["stats"]),
            ("lazyimg batch poster --wid", ["--width"]), ("lazyimg batch thumb --at-", []),
            ("lazyimg batch convert --dit", ["--dither"]),
            ("lazyimg batch -o out animate a.mp4 --max-b", ["--max-bytes"]),
        ])
    func `fish completes words after help, and the options of a job`(
        line: String, words: [String]
    ) {
        let found = fish(line)
        #expect(words.allSatisfy(found.contains), "\(found)")
        // Those of other jobs are not of this one.
        if line.hasSuffix("poster --wid") {
            // Newer shells complete words that only have the letters.
            #expect(!fish("lazyimg batch poster --dit").contains("--dither"))
        }
    }

    @Test func `zsh has the additions before its last lines`() {
        let script = Tool.run(["--generate-completion-script", "zsh"]).text
        #expect(script.contains("functions[_lazyimg_batch_alone]=$functions[_lazyimg_batch]"))
        #expect(script.hasSuffix("compdef _lazyimg lazyimg\nfi\n"))
    }
}
