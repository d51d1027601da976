import Foundation
import HTTPSupport
import Support
import Testing
import ToolSupport

/// Streams of which something is missing, at a server and in a folder.
@Suite(.ownThreads, .needs("ffmpeg", "ffprobe")) struct StreamGapTests {
    private let files = StreamFiles.shared
    private let scratch = Scratch()
    private static let frame = 160 * 90 * 4

    /// A server without some of the files.
    private func server(without missing: Set<String>) throws -> ScriptedServer {
        let scratch = files.scratch
        return try ScriptedServer { request in
            let name = String(request.path.dropFirst())
            let bytes = missing.contains(name) ? [] : scratch[name]
            return bytes.isEmpty ? .answer(404) : .serve(bytes, to: request)
        }
    }

    private func run(_ words: String...) -> Tool.Outcome {
        let outcome = Tool.run(words + ["--no-cache", "-o", "-"])
        #expect(outcome.status == 0, "\(words): \(outcome.errors)")
        return outcome
    }

    /// Behind what is missing the times are those of the clip.
    private func expectClip(_ input: String) {
        // Sound may begin some 20 ms before the first picture.
        for time in ["7.36", "last"] {
            let isRight =
                run("poster", input, "--at", time).output
                == run("poster", files.scratch.path("clip.mp4"), "--at", time).output
            #expect(isRight, "\(input) at \(time)")
        }
    }

    @Test(arguments: [
        ("ts.m3u8", "ts4.ts"), ("fragments.m3u8", "f004.m4s"), ("numbers.mpd", "n00005.m4s"),
    ])
    func `a segment that is missing is left out with a warning`(name: String, part: String) throws {
        let server = try server(without: [part])
        let url = server.url("/" + name).absoluteString
        let played = Tool.run([
            "play", url, "--frames", "-", "--format", "raw", "--no-cache", "--json",
        ])
        #expect(played.status == 0, "\(played.errors)")
        let kept = files.frames.prefix(40 * Self.frame) + files.frames.dropFirst(50 * Self.frame)
        let isSame = played.output.elementsEqual(kept)
        #expect(isSame, "\(name): \(played.output.count / Self.frame)")
        #expect(played.errors.contains("Segment 5 of the stream is missing"), "\(played.errors)")
        expectClip(url)
        for words in [["sheet", url, "--count", "6"], ["animate", url, "--format", "webp"]] {
            let made = Tool.run(words + ["--no-cache", "-o", "-"])
            #expect(made.status == 0 && !made.output.isEmpty, "\(words): \(made.errors)")
        }
    }

    @Test func `a stream whose first segment is missing begins with the next one`() throws {
        let server = try server(without: ["ts0.ts"])
        let url = server.url("/ts.m3u8").absoluteString
        let info = Tool.run(["info", "--json", "--no-cache", url])
        #expect(info.status == 0 && info.text.contains("\"width\": 160"), "\(info.errors)")
        #expect(info.text.contains("Segment 1 of the stream is missing"), "\(info.text)")
        #expect(!run("poster", url, "--at", "first").output.isEmpty)
        #expect(!run("poster", url).output.isEmpty)
    }

    @Test func `a stream without any segment is an error`() throws {
        let server = try server(without: Set((0..<12).map { "ts\($0).ts" }))
        let url = server.url("/ts.m3u8").absoluteString
        for words in [["info", url], ["play", url, "--frames", "-", "--format", "raw"]] {
            let outcome = Tool.run(words + ["--no-cache"])
            #expect(outcome.status == 66, "\(words): \(outcome.status) \(outcome.errors)")
        }
    }

    @Test func `a file that a playlist names and that is not there is left out`() {
        let names = (0..<12).filter { $0 != 4 }.map { "ts\($0).ts" }
        let folder = files.folder(names, files.scratch.text("ts.m3u8"))
        let frames = StreamFiles.frames(of: folder.path("list.m3u8"))
        #expect(frames.count == 110 * Self.frame)
        // Once, before anything is read, and once beside what is made.
        let info = Tool.run(["info", folder.path("list.m3u8")])
        #expect(info.text.contains("Segment 5 of the stream is missing"), "\(info.text)")
        let made = Tool.run(["animate", folder.path("list.m3u8"), "-f", "webp", "-o", "-"])
        #expect(made.errors.split(separator: "Segment 5").count == 2, "\(made.errors)")
    }

    @Test func `a gap that a playlist names leaves its time`() {
        let lines = (0..<12).flatMap { number in
            (number == 4 ? ["#EXT-X-GAP"] : []) + ["#EXTINF:1,", "ts\(number).ts"]
        }
        let names = (0..<12).filter { $0 != 4 }.map { "ts\($0).ts" }
        let folder = files.folder(names, StreamFiles.playlist(lines))
        let path = folder.path("list.m3u8")
        #expect(StreamFiles.frames(of: path).count == 110 * Self.frame)
        let info = Tool.run(["info", "--json", path])
        #expect(info.text.contains("\"durationUs\": 120"), "\(info.text)")
        expectClip(path)
    }

    @Test(arguments: ["last", "-1", "-5"])
    func `a poster from the end costs the last segment`(choice: String) throws {
        let server = try server(without: [])
        let url = server.url("/ts.m3u8").absoluteString
        let shown = run("poster", url, "--at", choice).output
        let isSame = shown == run("poster", files.scratch.path("clip.mp4"), "--at", choice).output
        #expect(isSame)
        #expect(Set(server.requests.map(\.path)) == ["/ts.m3u8", "/ts11.ts"])
    }

    @Test func `where a variant is missing another one is read`() throws {
        let server = try server(without: ["large.m3u8"])
        let url = server.url("/main.m3u8").absoluteString
        let isSame =
            run("poster", url, "--at", "3").output
            == run("poster", files.scratch.path("clip.mp4"), "--at", "3").output
        #expect(isSame)
        let none = try self.server(without: ["large.m3u8", "ts.m3u8"])
        let outcome = Tool.run(["info", none.url("/main.m3u8").absoluteString, "--no-cache"])
        #expect(outcome.status == 66 && outcome.errors.contains("large.m3u8"), "\(outcome.errors)")
    }

    @Test func `pictures for fast playback are not the film`() {
        let manifest = files.scratch.text("numbers.mpd")
        let trick = """
            <AdaptationSet contentType="video"><EssentialProperty \
            schemeIdUri="http://dashif.org/guidelines/trickmode" value="0"/>
            <SegmentTemplate media="none$Number$.m4s" initialization="none.mp4" duration="1" startNumber="1"/>
            <Representation id="t" mimeType="video/mp4" width="640" height="360" bandwidth="1"/></AdaptationSet>
            """
        let names = (1...12).map { "n" + String(100_000 + $0).dropFirst() + ".m4s" } + ["n.mp4"]
        let folder = files.folder(
            names, manifest.replacingOccurrences(of: "</Period>", with: trick + "</Period>"))
        let isSame = StreamFiles.frames(of: folder.path("list.m3u8")) == files.frames
        #expect(isSame)
    }
}
