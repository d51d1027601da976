import ArgumentParser
import Support
import Testing
import ToolSupport

@testable import LazyCLI

/// The order of options in `--help`, which is one for all commands.
@Suite(.ownThreads) struct HelpOrderTests {
    private struct Help {
        /// The sections of options with the options in them.
        var sections: [(title: String, options: [String])] = []

        init(_ text: String) {
            for line in text.split(separator: "\n") {
                if line.first?.isUppercase == true, line.hasSuffix(":"),
                    line.allSatisfy({ !$0.isLowercase })
                {
                    sections.append((String(line.dropLast()), []))
                } else if line.hasPrefix("  -"), !sections.isEmpty {
                    let names = line.split(whereSeparator: { " ,/".contains($0) })
                    let long = names.prefix { $0.hasPrefix("-") }.first { $0.hasPrefix("--") }
                    sections[sections.count - 1].options.append(String(long ?? names[0]))
                }
            }
            sections.removeAll { $0.options.isEmpty }
        }
    }

    @Test(arguments: ShortHelpTests.commands)
    func `sections and their options have one order, and none is lost`(words: [String]) {
        let text = Tool.run(words + ["--help"]).text
        let help = Help(text)
        let order = HelpOrder.sections.map(\.title)
        let places = help.sections.map { order.firstIndex(of: $0.title) ?? -1 }
        #expect(places == places.sorted() && !places.contains(-1), "\(help.sections.map(\.title))")
        for (title, options) in help.sections {
            let table = HelpOrder.sections.first { $0.title == title }?.options ?? []
            let known = options.compactMap { table.firstIndex(of: $0) }
            #expect(known == known.sorted(), "\(title): \(options)")
            // Those that the table does not have follow.
            #expect(options.prefix(known.count).allSatisfy(table.contains), "\(title): \(options)")
        }
        let shown = help.sections.flatMap(\.options)
        #expect(Set(shown).count == shown.count, "\(shown)")
        let flags = CommandFlags(of: CommandPath(words, from: LazyImg.self).command)
        for name in flags.all {
            // The other one of a pair is beside it.
            #expect(shown.contains(name) || text.contains("/\(name)"), "\(name)")
        }
        #expect(help.sections.last?.options.last == "--help", "\(shown)")
    }

    /// An option that several commands have is in one section, but for those about one thing.
    @Test func `an option is in the same section everywhere`() {
        var known: [String: String] = [:]
        let topics = Set(HelpOrder.sections.filter { $0.options.isEmpty }.map(\.title))
        for words in ShortHelpTests.commands {
            for (title, options) in Help(Tool.run(words + ["--help"]).text).sections
            where !topics.contains(title) {
                for option in options {
                    #expect(known[option, default: title] == title, "\(words) \(option)")
                    known[option] = title
                }
            }
        }
        #expect(known["--at"] == "WHAT" && known["--output"] == "OUTPUT")
        #expect(known["--tone"] == "ENCODING" && known["--isolate"] == "READING")
    }

    @Test func `the output is first, and what is rarely used is last`() throws {
        let text = Tool.run(["poster", "--help"]).text
        func place(_ name: String) throws -> String.Index {
            try #require(text.firstRange(of: "\n  \(name) ") ?? text.firstRange(of: name))
                .lowerBound
        }
        let names = ["-o, --output", "-t, --at", "-s, --size", "--crop", "--limits", "--no-cache"]
        let places = try names.map(place)
        #expect(places == places.sorted())
        // What is explained stays with its option.
        let plain = LazyImg.helpMessage(for: PosterCommand.self)
        let lines = { (text: String) in text.split(separator: "\n").filter { $0.hasPrefix(" ") } }
        #expect(lines(HelpOrder.arranged(plain)).sorted() == lines(plain).sorted())
        #expect(HelpOrder.arranged("#compdef lazyimg\nUSAGE: no") == "#compdef lazyimg\nUSAGE: no")
    }
}
