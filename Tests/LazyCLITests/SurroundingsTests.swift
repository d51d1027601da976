import Support
import Testing
import ToolSupport

/// What lies around pictures: the edges of joined ones of other sizes, the corners of a rotation.
@Suite(.ownThreads) struct SurroundingsTests {
    private let scratch = Scratch()

    /// A wide and a tall picture of one color, as GIFs, stills, a film, and a list of both stills.
    private func makeInputs() {
        for (name, color, size) in [("wide", "red", "64x48"), ("tall", "lime", "32x64")] {
            let source = "-f lavfi -i color=\(color):s=\(size):d=0.3:r=10"
            let path = scratch.path(name)
            for output in ["'\(path).gif'", "-pix_fmt yuv420p '\(path).mp4'"] {
                _ = Peer.output(of: "ffmpeg -v error \(source) \(output)")
            }
            _ = Peer.output(of: "ffmpeg -v error \(source) -frames:v 1 '\(path).png'")
        }
        let list =
            "ffconcat version 1.0\nfile wide.png\nduration 0.2\nfile tall.png\nduration 0.2\n"
        _ = scratch.write(Array(list.utf8), "list.ffconcat")
    }

    /// The upper left pixel of the last frame of a file, as red, green, blue and alpha.
    private func corner(_ path: String, at x: Int = 0) -> [UInt8] {
        let pixels = Peer.output(
            of:
                "ffmpeg -v error -i '\(path)' -vf crop=2:2:\(x):0:exact=1 -f rawvideo -pix_fmt rgba -"
        )
        return Array(pixels.suffix(16).prefix(4))
    }

    private static let commands: [[String]] = [
        ["convert", "--concat", "wide.gif", "tall.gif"],
        ["convert", "--concat", "wide.mp4", "tall.gif"],
        ["convert", "--concat", "wide.mp4", "tall.png"],
        ["convert", "list.ffconcat"],
        ["animate", "wide.png", "tall.png"],
        ["animate", "--concat", "wide.gif", "tall.gif", "--whole"],
        ["convert", "wide.mp4", "--rotate", "20"],
        ["animate", "wide.gif", "--rotate", "20"],
    ]

    private func make(_ command: [String], _ output: String, _ options: [String] = []) -> String {
        let words = command.map { scratch.names().contains($0) ? scratch.path($0) : $0 }
        let path = scratch.path(output)
        let outcome = Tool.run(words + options + ["-o", path, "--force"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return path
    }

    @Test(.needs("ffmpeg"), arguments: commands)
    func `it is black where the format has no transparency`(command: [String]) {
        makeInputs()
        let black = corner(make(command, "made.mp4", ["--force"]))
        #expect(black.prefix(3).allSatisfy { $0 < 24 }, "\(black)")
        let blue = corner(make(command, "made.mp4", ["--background", "blue"]))
        #expect(blue[0] < 40 && blue[1] < 40 && blue[2] > 200, "\(blue)")
        if !command.contains(where: { $0.hasSuffix(".mp4") }) || command.contains("tall.gif") {
            #expect(corner(make(command, "made.apng")) == [0, 0, 0, 0])
        }
    }

    @Test(.needs("ffmpeg")) func `posters and sheets as JPEG have black edges`() {
        makeInputs()
        let list = ["list.ffconcat"]
        let poster = corner(make(["poster"] + list, "poster.jpg", ["--at", "#1"]))
        #expect(poster.prefix(3).allSatisfy { $0 < 24 }, "\(poster)")
        let turned = corner(make(["poster", "wide.mp4"], "turned.jpg", ["--rotate", "20"]))
        #expect(turned.prefix(3).allSatisfy { $0 < 24 }, "\(turned)")
        let sheet = make(
            ["sheet"] + list, "sheet.jpg", ["--columns", "2", "--width", "64", "--gap", "0"])
        let tile = corner(sheet, at: 64)
        #expect(tile.prefix(3).allSatisfy { $0 < 24 }, "\(tile)")
    }

    @Test(.needs("ffmpeg")) func `transparent pixels of a picture are still over white`() {
        let source = "-f lavfi -i color=red@0.0:s=64x48:d=0.3:r=10,format=rgba"
        _ = Peer.output(of: "ffmpeg -v error \(source) '\(scratch.path("clear.apng"))'")
        let white = corner(make(["convert", "clear.apng"], "made.mp4"))
        #expect(white.prefix(3).allSatisfy { $0 > 232 }, "\(white)")
    }
}
