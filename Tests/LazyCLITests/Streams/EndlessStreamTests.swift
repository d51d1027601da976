import FoundationEssentials
import Glibc
import HTTPSupport
import Support
import Testing
import ToolSupport

@testable import LazyBase

/// Streams of which neither the length nor the end is known: at servers, of cameras, in pipes that stay open.
@Suite(.ownThreads) struct EndlessStreamTests {
    private typealias Response = ScriptedServer.Response
    private let scratch = Scratch()
    private let film = Tool.bytes(Media.path("h264.ts"))

    /// How the film arrives.
    enum Way: String, CaseIterable {
        case server, serverWithName, standardInput, namedPipe
    }

    /// Sends a film and then nothing more, without an end.
    private func makeServer() throws -> ScriptedServer {
        let film = film
        return try ScriptedServer { _ in
            [
                .send(Response.head(200, headers: [("Content-Type", "video/mp2t")], count: nil)),
                .send(film), .waitForClose,
            ]
        }
    }

    /// Runs a command on the film; `{}` stands for the input.
    private func run(_ command: String, _ way: Way) throws -> Tool.Outcome {
        let rest = "--cache-dir '\(scratch.path("cache"))'"
        switch way {
        case .server, .serverWithName:
            let server = try makeServer()
            let path = way == .server ? "/live" : "/live.ts"
            let url = server.url(path).absoluteString
            return withExtendedLifetime(server) {
                Tool.shell(
                    "\"$lazyimg\" " + command.replacing("{}", with: "'\(url)'") + " \(rest)")
            }
        case .standardInput, .namedPipe:
            let pipe = scratch.path("pipe")
            unlink(pipe)
            mkfifo(pipe, 0o600)
            let words = command.replacing("{}", with: way == .namedPipe ? "'\(pipe)'" : "-")
            // The shell keeps the pipe open, so that it has no end.
            return Tool.shell(
                "exec 9<>'\(pipe)'; cat '\(Media.path("h264.ts"))' >&9; \"$lazyimg\" \(words)"
                    + " 9<&- <'\(pipe)' \(rest)")
        }
    }

    @Test(arguments: Way.allCases) func `info tells what the first pictures tell`(
        way: Way
    ) throws {
        let outcome = try run("info {} --json", way)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("\"type\": \"mpegts\""), "\(outcome.text)")
        #expect(outcome.text.contains("\"frameCount\": null"))
        #expect(outcome.text.contains("\"durationUs\": null"))
        #expect(outcome.text.contains("stream without a known length"))
    }

    @Test(arguments: Way.allCases) func `a poster is that of the first pictures`(
        way: Way
    ) throws {
        let wanted = Tool.run(["poster", Media.path("h264.ts"), "--at", "first", "-o", "-"])
        let first = try run("poster {} --at first -o -", way)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output == wanted.output)
        #expect(try run("poster {} -o -", way).status == 0)
        let later = Tool.run(["poster", Media.path("h264.ts"), "--at", "1", "-o", "-"])
        #expect(try run("poster {} --at 1 -o -", way).output == later.output)
    }

    @Test(arguments: ["last", "50%"]) func `what is counted from the end is refused`(
        place: String
    ) throws {
        for way in [Way.server, .standardInput] {
            let outcome = try run("poster {} --at \(place) -o -", way)
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("The stream goes on"), "\(outcome.errors)")
        }
    }

    @Test(arguments: Way.allCases) func `frames are written as they come`(way: Way) throws {
        let words = "--frames - --format framehash --max-frames 5"
        let wanted = Tool.shell("\"$lazyimg\" play '\(Media.path("h264.ts"))' \(words)")
        let outcome = try run("play {} \(words)", way)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == wanted.output && !outcome.output.isEmpty)
    }

    @Test func `a film whose pipe ends is read as a file is`() {
        for words in ["info {} --json", "poster {} -o -", "play {} --frames - --format framehash"] {
            let command = words.replacing("{}", with: "-")
            let path = Media.path("h264.ts")
            let piped = Tool.shell("cat '\(path)' | \"$lazyimg\" \(command)")
            let read = Tool.shell("\"$lazyimg\" \(command) <'\(path)'")
            #expect(piped.status == 0 && piped.output == read.output, "\(words) \(piped.errors)")
        }
    }

    @Test func `pictures of a camera are a film`() throws {
        let folder = scratch.path("pictures")
        let made = Tool.run([
            "play", Media.path("small.mp4"), "--frames", folder, "--format", "jpg",
        ])
        #expect(made.status == 0, "\(made.errors)")
        let pictures = Tool.names(in: folder).filter { $0.hasSuffix("jpg") }.map {
            Tool.bytes(folder + "/" + $0)
        }
        #expect(pictures.count > 8)
        for hasLength in [true, false] {
            let server = try ScriptedServer { _ in
                let type = "multipart/x-mixed-replace; boundary=frame"
                var body: [UInt8] = []
                for picture in pictures {
                    let length = hasLength ? "Content-Length: \(picture.count)\r\n" : ""
                    body += Array("--frame\r\nContent-Type: image/jpeg\r\n\(length)\r\n".utf8)
                    body += picture + Array("\r\n".utf8)
                }
                return [
                    .send(Response.head(200, headers: [("Content-Type", type)], count: nil)),
                    .send(body), .waitForClose,
                ]
            }
            let url = server.url("/camera").absoluteString
            let info = Tool.run(["info", url, "--no-cache", "--json"])
            #expect(info.status == 0 && info.text.contains("\"type\": \"mjpeg\""), "\(info.errors)")
            let output = scratch.path("frames-\(hasLength)")
            let frames = Tool.run([
                "play", url, "--no-cache", "--frames", output, "--max-frames", "3",
            ])
            #expect(frames.status == 0, "\(frames.errors)")
            let poster = Tool.run(["poster", url, "--no-cache", "--at", "first", "-o", "-"])
            let wanted = Tool.shell(
                "cat '\(folder)'/*.jpg >'\(folder)/joined.mjpeg';"
                    + " \"$lazyimg\" poster '\(folder)/joined.mjpeg' --at first -o -")
            #expect(poster.output == wanted.output && poster.status == 0, "\(poster.errors)")
        }
    }
}
