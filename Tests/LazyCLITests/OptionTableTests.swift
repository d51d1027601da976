import Support
import Testing
import ToolSupport

/// `docs/Options.md`: who would miss an option.
@Suite(.ownThreads) struct OptionTableTests {
    @Test func `every option of the help has a reader in the table, and no other is there`() throws
    {
        let page = String(
            decoding: Tool.bytes(Project.folder + "docs/Options.md"), as: UTF8.self)
        var listed: [String] = []
        for row in page.split(separator: "\n") where row.hasPrefix("| `--") {
            let cell = row.split(separator: "|").first ?? ""
            listed += cell.split(separator: " ").map { $0.filter { $0 != "`" } }
        }
        #expect(Set(listed).count == listed.count)
        var known: Set<String> = []
        for words in ShortHelpTests.commands + [["cache", "stats"], ["cache", "prune"]] {
            let help = Tool.run(words + ["--help"]).text
            for line in help.split(separator: "\n") where line.hasPrefix("  -") {
                // The names come before two spaces, or are the line.
                for name in line.dropFirst(2).prefix(while: { $0 != "<" }).split(separator: ",") {
                    let word = name.split(separator: " ").first ?? ""
                    known.formUnion(
                        word.split(separator: "/").map(String.init).filter { $0.hasPrefix("--") })
                    guard !name.contains("  ") else { break }
                }
            }
        }
        #expect(known == Set(listed), "\(known.symmetricDifference(listed).sorted())")
    }
}
