import DesktopSupport
import Foundation
import Testing

/// The pictures of the guide; `LAZYIMG_PICTURES` names the folder that they are written to.
@Suite(.serialized) struct PictureTests {
    private let screen: Screen

    init() throws { screen = try Screen(width: 960, height: 640) }

    private func start(_ words: String...) throws -> Program {
        try Program(
            Place.program("lazyimg-view"), ["--trace"] + words, environment: screen.environment())
    }

    /// The colors of the screen, and the picture for the guide.
    private func colors(_ name: String) throws -> Int {
        let folder = ProcessInfo.processInfo.environment["LAZYIMG_PICTURES"]
        let path = (folder ?? NSTemporaryDirectory()) + "/\(name).png"
        defer { if folder == nil { try? FileManager.default.removeItem(atPath: path) } }
        try screen.write(to: path)
        let text = try Program.output("identify", ["-format", "%k", path])
        if folder != nil {
            let small = ["-resize", "75%", "+dither", "-colors", "96", "-strip", "png8:" + path]
            _ = try Program.output("convert", [path] + small)
        }
        return Int(String(decoding: text, as: UTF8.self)) ?? 0
    }

    @Test func `the viewer shows a clip with its information`() throws {
        // The panel shows the place of the file.
        let folder = NSTemporaryDirectory() + "films"
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clip = folder + "/clip.mp4"
        try FileManager.default.copyItem(atPath: Place.media("clip.mp4"), toPath: clip)
        let program = try start(clip)
        while let line = program.line(), !line.contains("\"frame\":") {}
        try screen.send(
            "search", "--sync", "--onlyvisible", "--class", "lazyimg", "windowfocus", "--sync")
        for key in ["space", "BackSpace", "i"] { try screen.send("key", key) }
        let paused = "\"frame\":0,\"frames\":125,\"playing\":false"
        while let line = program.line(), !line.contains(paused) {}
        try screen.send("key", "r")
        #expect(program.line(beginning: "{") != nil)
        try screen.send("key", "shift+r")
        while let line = program.line(), !line.contains("\"turns\":0") {}
        #expect(try colors("view-clip") > 1000)
    }

    @Test func `the grid shows a folder`() throws {
        let program = try start(Place.root + "media")
        #expect(program.line(beginning: "{\"page\":\"grid\"") != nil)
        // Until the first screen is complete: gray is what is not there yet.
        while try colors("view-grid") < 1000 {}
    }
}
