import Support
import Testing
import ToolSupport

/// A crop that is not inside the picture is refused by every command that crops.
@Suite(.ownThreads) struct CropRefusalTests {
    private let scratch = Scratch()

    private static let commands: [[String]] = [
        ["poster", "-o", "a.png"], ["convert", "-o", "a.gif"], ["animate", "-o", "a.webp"],
        ["sheet", "-o", "a.png"], ["play", "--frames", "out"],
    ]

    /// `clip.mp4` has 640x360 pixels.
    @Test(
        arguments: commands,
        [
            ("999x999", "does not fit into the picture of 640x360."),
            ("641x10", "does not fit into the picture of 640x360."),
            (
                "100x100+600+0",
                "is not inside the picture of 640x360; the nearest one is 100x100+540+0."
            ),
        ])
    func `it is an error that names what fits, and nothing is written`(
        command: [String], crop: (part: String, reason: String)
    ) {
        let words = command.map {
            ["a.png", "a.gif", "a.webp", "out"].contains($0) ? scratch.path($0) : $0
        }
        let outcome = Tool.run(words + [Media.path("clip.mp4"), "--crop", crop.part])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("The part \(crop.part) \(crop.reason)"))
        #expect(scratch.names().allSatisfy { $0 == "out" })
    }

    @Test func `a crop that fits is exact, also with a smart gravity`() throws {
        for crop in ["640x360", "640x360+0+0", "100x100+540+260", "100x360"] {
            let path = scratch.path("a.png")
            let gravity = crop.contains("+") ? [] : ["--gravity", "smart"]
            let outcome = Tool.run(
                ["poster", Media.path("clip.mp4"), "-o", path, "--force", "--json", "--crop", crop]
                    + gravity)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let report = try ParsedJSON.parse(outcome.text)
            let size = crop.split(separator: "+")[0]
            #expect(
                "\(report["width"]?.integer ?? 0)x\(report["height"]?.integer ?? 0)" == size)
        }
    }
}
