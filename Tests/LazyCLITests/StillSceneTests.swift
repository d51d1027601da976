import Foundation
import Support
import Testing
import ToolSupport

/// Screen recordings without their repeated pictures: the last ones are shown for long, and decoded long before.
@Suite(.ownThreads, .needs("ffmpeg", "ffprobe")) struct StillSceneTests {
    private let scratch = Scratch()

    /// A second of motion, then three colors of two seconds each; `options` are those of the file.
    private func film(_ name: String, _ options: String = "") -> String {
        let colors = ["red", "blue", "green"].map { "-f lavfi -i color=\($0):s=64x48:r=30:d=2" }
        let inputs = (["-f lavfi -i testsrc2=s=64x48:r=30:d=1"] + colors).joined(separator: " ")
        _ = Peer.output(
            of: """
                cd '\(scratch.path)' && ffmpeg -v error -y \(inputs) -filter_complex \
                '[0][1][2][3]concat=n=4,mpdecimate' -fps_mode vfr -c:v libx264 -pix_fmt yuv420p \
                \(options) \(name)
                """)
        return scratch.path(name)
    }

    /// When the last packet ends; the length that FFmpeg states is wrong for B-frames.
    private func probed(_ file: String) -> Double {
        let text = Peer.output(
            of: "ffprobe -v error -show_entries packet=pts_time,duration_time -of csv=p=0 '\(file)'"
        )
        let ends = String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: ",").compactMap { Double($0) }.reduce(0, +)
        }
        return ends.max() ?? 0
    }

    private func number(_ name: String, _ outcome: Tool.Outcome) -> Int? {
        let text = outcome.text.split(separator: "\"\(name)\": ").dropFirst().first
        return text.flatMap { Int($0.prefix { $0.isNumber }) }
    }

    private func shown(_ file: String, _ choice: String) -> Int? {
        let outcome = Tool.run([
            "poster", file, "--at", choice, "--json", "-o", scratch.path("x.png"), "--overwrite",
            "always",
        ])
        #expect(outcome.status == 0, "\(choice): \(outcome.errors)")
        return number("ptsUs", outcome)
    }

    @Test(arguments: ["film.mp4", "film.mov", "film.mkv", "-bf 0 film.mp4"])
    func `every time of the film has its picture`(_ words: String) throws {
        let parts = words.split(separator: " ")
        let file = film(String(parts.last ?? ""), parts.dropLast().joined(separator: " "))
        let info = Tool.run(["info", "--json", file])
        let length = try #require(number("durationUs", info))
        #expect(abs(Double(length) / 1e6 - probed(file)) < 0.05, "\(words): \(length)")
        #expect(shown(file, "4") == 3_000_000, "\(words)")
        #expect(shown(file, "2.9") == 1_000_000, "\(words)")
        #expect(shown(file, "60%") == 3_000_000, "\(words)")
        #expect(shown(file, "last") == 5_000_000, "\(words)")
        let late = Tool.run(["poster", file, "--at", "9", "-o", scratch.path("y.png")])
        #expect(late.status == 65 && late.errors.contains("before the requested time"))
    }

    @Test func `longer sound does not make the film longer`() throws {
        let file = film("film.mp4")
        let other = scratch.path("sound.mp4")
        _ = Peer.output(
            of: """
                ffmpeg -v error -y -i '\(file)' -f lavfi -i sine=duration=20 -c:v copy -c:a aac \
                '\(other)'
                """)
        let length = try #require(number("durationUs", Tool.run(["info", "--json", other])))
        #expect(abs(length - 5_033_333) < 50_000, "\(length)")
        #expect(shown(other, "4") == 3_000_000)
    }
}
