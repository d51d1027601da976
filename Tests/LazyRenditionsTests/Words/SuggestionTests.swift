import Testing

@testable import LazyRenditions

@Suite struct SuggestionTests {
    @Test(
        arguments: [
            ("postr", "poster"), ("psoter", "poster"), ("conver", "convert"), ("Info", "info"),
            ("frobnicate", nil), ("x", nil), ("lop", "loop"),
        ] as [(String, String?)]) func `the nearest word is suggested if it is similar`(
            wrong: String, right: String?
        )
    {
        let words = ["poster", "convert", "info", "loop", "sheet"]
        #expect(Suggestion.nearest(wrong, among: words) == right)
    }

    @Test(arguments: [("", "ab", 2), ("ab", "ba", 1), ("kitten", "sitting", 3), ("a", "a", 0)])
    func `a distance counts edits`(one: String, other: String, distance: Int) {
        #expect(Suggestion.distance(one, other) == distance)
    }
}
