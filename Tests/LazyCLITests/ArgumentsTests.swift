import ArgumentParser
import LazyRenditions
import Testing

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

@Suite struct ArgumentsTests {
    @Test func `cells are columns and lines`() throws {
        #expect(try Arguments.cells("80x24") == CellGrid(checking: 80, 24))
        for text in ["80", "0x24", "80x0", "1001x24", "80x24x2", "ax24", ""] {
            #expect(throws: WordError.self) { try Arguments.cells(text) }
        }
    }

    /// The parser takes them for options.
    @Test func `negative values are refused for what they are`() {
        for words in [
            ["poster", "a", "--start", "-0.5"], ["poster", "a", "--start", "-.5"],
            ["sheet", "a", "--rows", "-1", "--columns", "2"], ["poster", "a", "--jobs", "-1"],
        ] {
            var message = ""
            do { _ = try LazyImg.command(words) } catch { message = LazyImg.message(for: error) }
            #expect(message.hasPrefix("The value '\(words[3])' is invalid"), "\(message)")
        }
        for words in [["poster", "a", "--start"], ["poster", "a", "--start", "--", "-0.5"]] {
            var message = ""
            do { _ = try LazyImg.command(words) } catch { message = LazyImg.message(for: error) }
            #expect(message.hasPrefix("Missing value"), "\(message)")
        }
    }

    @Test(arguments: [
        ["poster", "a", "-W320", "-H200", "-fjpg", "-q80", "-t25%", "-j2", "-ob.jpg"],
        ["poster", "a", "-t-1", "-s640x360!"], ["play", "a", "-fraw", "-j2"],
        ["animate", "a", "-fgif", "-q50", "-j2", "-oout/"],
        ["convert", "a", "-fwebp", "-q50", "-j2", "-oout/"],
        ["sheet", "a", "-fjpg", "-q50", "-j2", "-n10", "-oa.jpg"], ["sheet", "a", "-i2s"],
        ["loop", "a", "--set", "2", "-ob.gif"], ["batch", "poster", "a", "-j2", "-oout/"],
        ["fetch", "https://example.org/a", "-j2", "-oa"],
        ["prefetch", "https://example.org/a", "-j2"],
    ])
    func `a short option takes its value with or without a space`(words: [String]) throws {
        func described(_ words: [String]) throws -> String {
            String(describing: try LazyImg.command(words))
        }
        let apart = words.flatMap { word -> [String] in
            guard word.hasPrefix("-"), !word.hasPrefix("--") else { return [word] }
            return [String(word.prefix(2)), String(word.dropFirst(2))]
        }
        #expect(try described(words) == described(apart))
    }
}
