import Testing

@testable import LazyMedia

/// Which of the subtitle tracks of a file is meant.
@Suite struct TrackChoiceTests {
    /// A track written as `deu`, `eng*` (default), `fra!` (forced), `#deu` (pictures).
    private static func tracks(_ words: String) -> [StreamInfo] {
        words.split(separator: " ").enumerated().map { number, word in
            let language = word.filter(\.isLetter)
            var info = StreamInfo(
                index: number + 1, kind: .subtitle, codec: "x", codedSize: nil, isChosen: false)
            info.language = language.isEmpty ? nil : language
            info.isDefault = word.contains("*")
            info.isForced = word.contains("!")
            info.isText = !word.contains("#")
            return info
        }
    }

    @Test(
        arguments: [
            (.standard, "deu eng", 1), (.standard, "deu eng*", 2), (.standard, "deu! eng", 2),
            (.standard, "deu!* eng", 2), (.standard, "deu!", 1), (.standard, "#deu eng", 2),
            (.standard, "#deu* eng", 2), (.standard, "#deu #eng*", 2), (.standard, "#deu", 1),
            (.number(2), "#deu #eng", 2), (.number(1), "deu", 1),
            (.language("eng"), "deu eng eng", 2), (.language("de"), "eng ger", 2),
            (.language("ger"), "eng deu", 2), (.language("DEU"), "eng de", 2),
            (.language("pt-BR"), "eng por", 2), (.language("en"), "eng! eng", 2),
            (.language("en"), "#eng eng", 2), (.language("und"), "und", 1),
        ] as [(TrackChoice, String, Int)])
    func `a choice is one of the tracks`(
        choice: TrackChoice, words: String, number: Int
    ) throws {
        #expect(try choice.choose(among: Self.tracks(words)).index == number)
    }

    @Test(
        arguments: [
            (.standard, "", "The file has no subtitles."),
            (.number(1), "", "The file has no subtitles."),
            (.language("de"), "", "The file has no subtitles."),
            (.number(3), "deu eng", "There is no subtitle track 3: the file has 2."),
            (
                .language("fr"), "deu eng deu",
                "There are no subtitles in fr: they are in deu, eng."
            ),
            (.language("fr"), "* *", "There are no subtitles in fr: their languages are not told."),
        ] as [(TrackChoice, String, String)])
    func `a choice that is not there is an error`(
        choice: TrackChoice, words: String, message: String
    ) {
        let error = #expect(throws: MediaError.self) {
            try choice.choose(among: Self.tracks(words))
        }
        #expect(error?.code == .trackNotFound)
        #expect(error?.message == message)
    }

    @Test func `codes of languages are equal in all lists`() {
        for (short, long) in [("en", "eng"), ("zh", "zho"), ("cs", "ces"), ("cy", "cym")] {
            #expect(LanguageCode(short) == LanguageCode(long))
        }
        for (library, term) in [("chi", "zho"), ("cze", "ces"), ("wel", "cym"), ("dut", "nld")] {
            #expect(LanguageCode(library) == LanguageCode(term))
        }
        #expect(LanguageCode("deu") != LanguageCode("dan"))
        #expect(LanguageCode("gsw")?.code == "gsw")
    }
}
