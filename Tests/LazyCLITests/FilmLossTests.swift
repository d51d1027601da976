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
        #expect(
            said.errors.contains(
                "Not kept in \(format == "mp4" ? "MP4" : "WebM"): 1 of 2 sounds, 1 subtitle track, 2 chapters and title, artist and album."
            ), "\(said.errors)")
        let languages = shell(
            "ffprobe -v error -select_streams a -show_entries stream_tags=language -of csv=p=0 b.\(format)"
        )
        // The default one.
        #expect(languages.contains("fra"))
    }

    @Test(.needs("ffmpeg"), arguments: [["--isolate", "always"], ["--isolate", "never"]])
    func `a silent copy says the rest, too, and drawn subtitles are no loss`(isolation: [String]) {
        let film = film()
        let options = ["-o", scratch.path("c.mp4"), "--allow-larger", "--force"] + isolation
        let said = Tool.run(["convert", film] + options + ["--subtitles", "track"])
        #expect(said.errors.contains("The sound is not kept"))
        #expect(
            said.errors.contains("Not kept in MP4: 2 chapters and title, artist and album."),
            "\(said.errors)")
        // A picture of a film is no film.
        let picture = Tool.run(["convert", film, "-o", scratch.path("c.gif")])
        #expect(picture.status == 0 && !picture.errors.contains("Not kept"))
    }
}
