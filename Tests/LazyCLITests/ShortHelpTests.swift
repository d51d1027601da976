import Support
import Testing
import ToolSupport

/// `-h`: one screen, and `--help` the whole.
@Suite(.ownThreads) struct ShortHelpTests {
    static let commands = [
        [], ["play"], ["ls"], ["view"], ["frames"], ["poster"], ["animate"], ["convert"],
        ["loop"], ["sheet"], ["make"], ["batch"], ["gallery"], ["info"], ["fetch"], ["prefetch"],
        ["warm"], ["cache"], ["cache", "rm"], ["formats"], ["doctor"],
    ]

    @Test(arguments: commands)
    func `a command has at most 25 lines of 80 columns`(words: [String]) {
        let help = Tool.run(words + ["-h"])
        #expect(help.status == 0 && help.errors.isEmpty)
        let lines = help.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect((3...25).contains(lines.count), "\(lines.count)")
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(lines.last?.hasSuffix("--help") == true)
        // All that it names is in the whole help.
        let whole = Tool.run(words + ["--help"]).text
        for line in lines.dropLast() {
            for word in line.split(separator: " ") where word.hasPrefix("--") {
                #expect(whole.contains(word), "\(word)")
            }
        }
    }

    @Test(arguments: [
        (["animate", "a.gif", "--boomerang"], "--bounce"),
        (["convert", "a.gif", "-o", "a.mp4", "--crf", "20"], "--quality"),
        (["convert", "a.mp4", "-o", "b.mp4", "--strip"], "--keep"),
        (["animate", "a.mp4", "--length", "3"], "--duration"),
        (["convert", "-i", "a.mp4", "-o", "b.gif"], "without an option"),
        (["convert", "a.mp4", "-ss", "3", "-o", "b.gif"], "--start"),
        (["convert", "a.mp4", "-t", "3", "-o", "b.gif"], "--duration"),
        (["convert", "a.mp4", "-y", "-o", "b.gif"], "--force"),
        (["convert", "a.gif", "-o", "b.gif", "--loop", "0"], "forever"),
        (["gif", "a.mp4"], "animate FILE -f gif"), (["resize", "a.png"], "-s 320x"),
    ])
    func `words of other programs have a hint`(words: [String], hint: String) {
        let outcome = Tool.run(words)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
    }
}
