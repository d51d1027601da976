import Foundation
import LazyRenditions
import Testing

/// Every grammar in both directions.
@Suite struct WordsTests {
    @Test(arguments: GrammarRows.all)
    func `a value is read as it is written, and printed so that it reads back`(rows: GrammarRows) {
        for row in rows.right {
            #expect(row.isRead(), "\(row.text)")
            #expect(row.isPrinted(), "\(row.text)")
        }
    }

    @Test(arguments: GrammarRows.all)
    func `samples are values, and what they print as stays`(rows: GrammarRows) throws {
        #expect(!rows.samples.isEmpty)
        for text in rows.samples + rows.words {
            let printed = try rows.reprint(text)
            #expect(try rows.reprint(printed) == printed)
        }
    }

    @Test(arguments: GrammarRows.all)
    func `the pattern matches what is read, and not what is written otherwise`(
        rows: GrammarRows
    ) throws {
        let pattern = try Regex(rows.pattern)
        for text in rows.right.map(\.text) + rows.samples + rows.words + rows.outside {
            #expect(text.contains(pattern), "\(text)")
            if let printed = try? rows.reprint(text) {
                #expect(printed.contains(pattern), "\(printed)")
            }
        }
        for text in rows.wrong { #expect(!text.contains(pattern), "\(text)") }
    }

    @Test(arguments: GrammarRows.all)
    func `a wrong text is an error that says what is expected and given`(rows: GrammarRows) {
        for text in rows.wrong + rows.outside {
            #expect(throws: WordError.self, "\(text)") { _ = try rows.reprint(text) }
            do throws(WordError) { _ = try rows.reprint(text) } catch {
                #expect(error.description == rows.sentences[text] ?? rows.expected)
                #expect(text.hasSuffix(error.given))
            }
        }
    }

    @Test func `the table has every grammar`() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let folder = root.appending(path: "Sources/LazyRenditions/Words").path
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder)
        where file.hasPrefix("Words") {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            for match in text.matches(of: /(?m)^ {4}(?:public|package) static (?:let|func) (\w+)/) {
                names.insert(String(match.1))
            }
        }
        // These make a grammar for each use.
        names.subtract(["number", "whole", "choice"])
        #expect(names.subtracting(GrammarRows.all.map(\.name)) == [])
    }

    @Test func `the nearest word is that of the grammar`() {
        #expect(Words.fit.nearest("contian") == "contain")
        #expect(Words.fit.nearest("frobnicate") == nil)
    }
}
