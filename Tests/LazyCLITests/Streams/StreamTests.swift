import Foundation
import HTTPSupport
import Support
import Testing
import ToolSupport

/// Streams of HLS and DASH, in a folder and at a server, against the clip that ffmpeg made them of.
@Suite(.ownThreads, .needs("ffmpeg", "ffprobe")) struct StreamTests {
    private let files = StreamFiles.shared
    private let scratch = Scratch()

    private func paths(_ server: ScriptedServer) -> Set<String> {
        Set(server.requests.map { String($0.path.dropFirst()) })
    }

    private func poster(_ input: String, _ options: String...) -> [UInt8] {
        let outcome = Tool.run(["poster", input, "--no-cache", "-o", "-"] + options)
        #expect(outcome.status == 0, "\(input): \(outcome.errors)")
        return outcome.output
    }

    @Test(arguments: StreamFiles.playlists)
    func `a playlist in a folder has the frames of the clip`(name: String) {
        #expect(files.frames.count == 120 * 160 * 90 * 4)
        let isSame = StreamFiles.frames(of: files.scratch.path(name)) == files.frames
        #expect(isSame)
        let info = Tool.run(["info", "--json", files.scratch.path(name)])
        #expect(info.text.contains("\"frameCount\": 120"), "\(info.text)\(info.errors)")
        #expect(info.text.contains("\"type\": \"\(name.hasSuffix("mpd") ? "dash" : "hls")\""))
    }

    @Test(arguments: StreamFiles.playlists)
    func `a playlist at a server has the frames of the clip`(name: String) throws {
        let server = try files.server()
        let url = server.url("/" + name).absoluteString
        let isSame = StreamFiles.frames(of: url, ["--no-cache"]) == files.frames
        #expect(isSame)
    }

    @Test(arguments: [
        ("ts.m3u8", ["ts7.ts"]), ("fragments.m3u8", ["f.mp4", "f007.m4s"]),
        ("encrypted.m3u8", ["secret.key", "e7.ts"]), ("timeline.mpd", ["t", "t71680.m4s"]),
        ("numbers.mpd", ["n.mp4", "n00008.m4s"]), ("ranges.m3u8", ["ranges.ts"]),
    ])
    func `a poster costs the segment that shows it`(name: String, parts: [String]) throws {
        let server = try files.server()
        let url = server.url("/" + name).absoluteString
        let shown = poster(url, "--at", "7.32")
        let isSame = shown == poster(files.scratch.path("clip.mp4"), "--at", "7.32")
        #expect(isSame)
        let loaded = paths(server).subtracting([name])
        if name == "timeline.mpd" {
            #expect(loaded.count == 2)
        } else {
            #expect(loaded == Set(parts))
        }
        let bytes = files.scratch["ranges.ts"].count
        #expect(name != "ranges.m3u8" || server.sight.sentBytes < bytes / 4)
    }

    @Test(arguments: ["first", "50%", "0", "11.95"])
    func `a poster is that of the clip`(choice: String) throws {
        let server = try files.server()
        let own = poster(files.scratch.path("clip.mp4"), "--at", choice)
        for name in ["ts.m3u8", "fragments.m3u8"] {
            let isSame = poster(server.url("/" + name).absoluteString, "--at", choice) == own
            #expect(isSame, "\(name)")
        }
    }

    @Test func `the search for a poster costs few segments`() throws {
        let server = try files.server()
        #expect(!poster(server.url("/ts.m3u8").absoluteString, "--at", "auto").isEmpty)
        #expect(paths(server).count <= 5, "\(paths(server).sorted())")
    }

    @Test func `info of a stream at a server costs one segment`() throws {
        let server = try files.server()
        let url = server.url("/ts.m3u8").absoluteString
        let info = Tool.run(["info", "--json", "--no-cache", url])
        #expect(info.text.contains("\"durationUs\": 12000000"), "\(info.text)\(info.errors)")
        #expect(paths(server) == ["ts.m3u8", "ts0.ts"])
    }

    @Test func `a sheet of a long stream costs the segments of its tiles`() throws {
        let server = try files.server()
        let sheet = { (input: String, output: String) in
            Tool.run(["sheet", input, "--count", "3", "--no-cache", "-o", scratch.path(output)])
        }
        let remote = sheet(server.url("/ts.m3u8").absoluteString, "remote.png")
        #expect(remote.status == 0, "\(remote.errors)")
        #expect(sheet(files.scratch.path("clip.mp4"), "local.png").status == 0)
        let isSame = scratch["remote.png"] == scratch["local.png"]
        #expect(isSame)
        #expect(paths(server).count <= 5, "\(paths(server).sorted())")
    }

    @Test func `an animation is that of the clip`() throws {
        let server = try files.server()
        let animate = { (input: String, output: String) in
            Tool.run(["animate", input, "--no-cache", "-o", scratch.path(output)])
        }
        let remote = animate(server.url("/fragments.m3u8").absoluteString, "remote.webp")
        #expect(remote.status == 0, "\(remote.errors)")
        #expect(animate(files.scratch.path("clip.mp4"), "local.webp").status == 0)
        let isSame = scratch["remote.webp"] == scratch["local.webp"]
        #expect(isSame)
        #expect(!scratch["local.webp"].isEmpty)
    }

    @Test func `sound is copied from the segments`() throws {
        let output = scratch.path("copy.mp4")
        let made = Tool.run([
            "convert", files.scratch.path("ts.m3u8"), "--audio", "copy", "-o", output,
        ])
        #expect(made.status == 0, "\(made.errors)")
        let streams = Peer.output(
            of: "ffprobe -v error -show_entries stream=codec_name -of csv=p=0 '\(output)'")
        #expect(String(decoding: streams, as: UTF8.self).contains("aac"))
    }

    @Test(arguments: [
        (["--width", "100"], "ts.m3u8"), (["--width", "160"], "ts.m3u8"),
        (["--width", "200"], "large.m3u8"), (["--width", "2000"], "large.m3u8"),
        ([], "large.m3u8"),
    ])
    func `the variant is the smallest that is large enough`(
        options: [String], chosen: String
    ) throws {
        let server = try files.server()
        let outcome = Tool.run(
            ["poster", server.url("/main.m3u8").absoluteString, "--no-cache", "-o", "-"] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let playlists = paths(server).filter { $0.hasSuffix("m3u8") }
        #expect(playlists == Set(["main.m3u8", chosen]))
    }

    @Test func `a live stream begins with its newest segment`() throws {
        let server = try files.server()
        let url = server.url("/live.m3u8").absoluteString
        let shown = poster(url, "--at", "first")
        let isSame = shown == poster(files.scratch.path("clip.mp4"), "--at", "5")
        #expect(isSame)
        #expect(paths(server) == ["live.m3u8", "ts5.ts"])
        let frame = 160 * 90 * 4
        let newest = StreamFiles.frames(of: url, ["--no-cache"])
        let isNewest = newest == Array(files.frames[50 * frame..<60 * frame])
        #expect(isNewest)
    }

    @Test func `parts of other files follow a discontinuity`() {
        let names = (0..<2).map { "f00\($0).m4s" } + (0..<2).map { "g00\($0).m4s" }
        let folder = files.folder(
            names + ["f.mp4", "g.mp4"],
            StreamFiles.playlist([
                "#EXT-X-MAP:URI=\"f.mp4\"", "#EXTINF:1,", "f000.m4s", "#EXTINF:1,", "f001.m4s",
                "#EXT-X-DISCONTINUITY", "#EXT-X-MAP:URI=\"g.mp4\"", "#EXTINF:1,", "g000.m4s",
                "#EXTINF:1,", "g001.m4s",
            ]))
        let frames = StreamFiles.frames(of: folder.path("list.m3u8"))
        let frame = 160 * 90 * 4
        #expect(frames.count == 40 * frame)
        let isFirst = frames.prefix(20 * frame) == files.frames.prefix(20 * frame)
        #expect(isFirst)
        let second = poster(folder.path("list.m3u8"), "--at", "3.5")
        #expect(!second.isEmpty)
    }
}
