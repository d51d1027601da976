import Support
import Testing
import ToolSupport

/// What of a film is not written is said; what is, keeps its language.
@Suite(.ownThreads) struct FilmLossTests {
    private let scratch = Scratch()

    @discardableResult
    private func shell(_ command: String) -> String {
        String(
            decoding: Peer.output(of: "cd '\(scratch.path)' && \(command) </dev/null"),
            as: UTF8.self)
    }

    /// A film with two sounds, subtitles, chapters and a title.
    private func film() -> String {
        scratch.write(Array("1\n00:00:00,000 --> 00:00:01,000\nx\n".utf8), "a.srt")
        scratch.write(
            Array(
                ";FFMETADATA1\ntitle=Film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=a\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=b\n"
                    .utf8), "chapters")
        shell(
            "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10:d=1 -f lavfi -i sine=d=1 -f lavfi -i sine=500:d=1 -i a.srt -i chapters -map 0 -map 1 -map 2 -map 3 -map_metadata 4 -map_chapters 4 -metadata:s:a:0 language=ger -metadata:s:a:1 language=fra -disposition:a:1 default -disposition:a:0 0 -c:v libx264 -pix_fmt yuv420p -c:a libopus -c:s srt a.mkv"
        )
        return scratch.path("a.mkv")
    }

    @Test(.needs("ffmpeg"), arguments: ["mp4", "webm"])
    func `copied sound keeps its language, and what is lost is said`(format: String) {
        let film = film()
        let output = scratch.path("b.\(format)")
        let said = Tool.run(["convert", film, "-o", output, "--audio", "copy", "--allow-larger"])
        #expect(said.status == 0, "\(said.errors)")
        let title = format == "mp4" ? "MP4" : "WebM"
        #expect(said.errors.contains("Not kept in \(title): 1 subtitle track."), "\(said.errors)")
        let sounds = shell(
            "ffprobe -v error -select_streams a -show_entries stream_tags=language:stream_disposition=default -of csv=p=0 b.\(format)"
        )
        // Both in their order, and the default one as it is; Matroska keeps the codes as they are.
        let rows = sounds.split(separator: "\n").map(String.init)
        #expect(rows.count == 2, "\(sounds)")
        #expect(rows.first?.hasPrefix("0,") == true && rows.last == "1,fra", "\(sounds)")
        #expect(rows.first?.contains("deu") == true || rows.first?.contains("ger") == true)
        // The packets of each, at their times.
        for number in 0..<2 {
            func packets(_ file: String) -> [Substring] {
                shell(
                    "ffmpeg -v error -i \(file) -map 0:a:\(number) -c copy -f framemd5 -"
                ).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
                    // Data beside a packet are more columns.
                    $0.split(separator: ",").dropFirst(5).first
                }
            }
            let (copied, own) = (packets("b.\(format)"), packets("a.mkv"))
            #expect(copied.count > 40 && own.suffix(copied.count) == copied[...])
        }
        // One by its number or language.
        for choice in ["1", "deu"] {
            let other = Tool.run(
                ["convert", film, "-o", output, "--audio", choice, "--force", "--allow-larger"])
            #expect(other.status == 0, "\(other.errors)")
            let languages = shell(
                "ffprobe -v error -select_streams a -show_entries stream_tags=language -of csv=p=0 b.\(format)"
            )
            #expect(languages.contains("deu"), "\(choice): \(languages)")
            #expect(!languages.contains("fra") && !other.errors.contains("of 2 sounds"))
        }
        let none = Tool.run(["convert", film, "-o", output, "--audio", "3", "--force"])
        #expect(none.status == 65 && none.errors.contains("There is no sound 3"), "\(none.errors)")
    }

    /// Of sounds that a format does not take, those that it takes are kept.
    @Test(.needs("ffmpeg")) func `a sound that is not taken is said, unless it is the only one`() {
        shell(
            "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10:d=1 -f lavfi -i sine=d=1 -f lavfi -i sine=500:d=1 -map 0 -map 1 -map 2 -c:v libx264 -pix_fmt yuv420p -c:a:0 aac -c:a:1 libopus two.mkv"
        )
        let words = ["convert", scratch.path("two.mkv"), "-o", scratch.path("two.webm")]
        let said = Tool.run(words + ["--audio", "copy"])
        #expect(said.status == 0 && said.errors.contains("1 of 2 sounds"), "\(said.errors)")
        #expect(shell("ffprobe -v error -show_entries stream=codec_name two.webm").contains("opus"))
        let refused = Tool.run(words + ["--audio", "1", "--force"])
        #expect(refused.status == 65 && refused.errors.contains("aac"), "\(refused.errors)")
    }

    /// What `--keep` says, and the title and the chapters as ffprobe reads them then.
    @Test(
        .needs("ffmpeg"), arguments: ["mp4", "webm"],
        [("safe", true), ("all", true), ("none", false)])
    func `words and chapters are kept`(
        format: String, keep: (word: String, isKept: Bool)
    ) throws {
        let film = film()
        let output = scratch.path("k.\(format)")
        let made = Tool.run(
            ["convert", film, "-o", output, "--keep", keep.word, "--no-audio", "--allow-larger"])
        #expect(made.status == 0, "\(made.errors)")
        let words = shell("ffprobe -v error -show_chapters -show_format k.\(format)")
        #expect(words.contains("[CHAPTER]") == keep.isKept, "\(words)")
        #expect(words.contains("TAG:title=") == keep.isKept, "\(words)")
        let facts = try ParsedJSON.parse(Tool.run(["info", output, "--json"]).text)
        let chapters = facts["chapters"]?.elements ?? []
        #expect(chapters.map { $0["title"]?.string } == (keep.isKept ? ["a", "b"] : []))
        // The sound 7 ms before the zero of the file's clock is not heard: chapters are where the file says.
        let starts = chapters.map { $0["startUs"]?.integer }
        #expect(starts == (keep.isKept ? [0, 500_000] : []))
        let ends = chapters.map { $0["endUs"]?.integer }
        #expect(ends == (keep.isKept ? [500_000, 1_000_000] : []))
    }

    @Test(.needs("ffmpeg")) func `other films and the names of tracks are said`() {
        shell(
            "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10:d=1 -f lavfi -i testsrc=s=32x32:r=10:d=1 -f lavfi -i sine=d=1 -map 0 -map 1 -map 2 -metadata:s:v:0 language=ger -metadata:s:a:0 title=Director -c:v libx264 -pix_fmt yuv420p -c:a aac two.mkv"
        )
        func said(_ options: String...) -> String {
            let output = scratch.path("two.mp4")
            let words = ["convert", scratch.path("two.mkv"), "-o", output, "--audio", "copy"]
            let made = Tool.run(words + ["--allow-larger", "--force"] + options)
            #expect(made.status == 0, "\(made.errors)")
            return made.errors
        }
        let names = "titles of sounds and the language of the video track."
        #expect(said().contains("Not kept in MP4: 1 of 2 video tracks, \(names)"))
        #expect(said("--track", "1").contains("Not kept in MP4: \(names)"))
        #expect(said("--keep", "none").contains("Not kept in MP4: 1 of 2 video tracks."))
    }

    @Test(.needs("ffmpeg"), arguments: [["--isolate", "always"], ["--isolate", "never"]])
    func `a silent copy says the rest, too, and drawn subtitles are no loss`(isolation: [String]) {
        let film = film()
        let options = ["-o", scratch.path("c.mp4"), "--allow-larger", "--force"] + isolation
        let said = Tool.run(["convert", film] + options + ["--subtitles", "track"])
        #expect(said.errors.contains("The sound is not kept"))
        #expect(!said.errors.contains("Not kept"), "\(said.errors)")
        // A picture of a film is no film.
        let picture = Tool.run(["convert", film, "-o", scratch.path("c.gif")])
        #expect(picture.status == 0 && !picture.errors.contains("Not kept"))
    }
}
