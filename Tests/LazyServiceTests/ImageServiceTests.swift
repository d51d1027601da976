import FoundationEssentials
import LazyBase
import LazyKit
import LazyMedia
import Support
import Testing

@testable import LazyService

/// Answers of a service to real media.
@Suite(.timeLimit(.minutes(3))) struct ImageServiceTests {
    @Test(arguments: [
        ("/unsafe/rs:fit:160:160/plain/local:///clip.mp4@webp", MediaType.webp, 160),
        ("/unsafe/w:100/plain/local:///clip.mp4", .jpeg, 100),
        ("/unsafe/w:100/lz_poster:25%25/plain/local:///clip.mp4@png", .png, 100),
        ("/unsafe/w:100/vts:0.5/plain/local:///clip.mp4@jpg", .jpeg, 100),
        ("/unsafe/w:40/plain/local:///counter.gif@webp", .webpAnimation, 40),
        ("/unsafe/w:40/plain/local:///counter.gif", .gif, 40),
        ("/unsafe/w:40/plain/local:///animation.png@apng", .apng, 40),
        ("/unsafe/w:40/plain/local:///counter.gif@jpg", .jpeg, 40),
        ("/unsafe/w:40/da:1/plain/local:///counter.gif@webp", .webp, 40),
        ("/unsafe/w:40/pg:2/plain/local:///counter.gif@png", .png, 40),
        ("/unsafe/w:40/plain/local:///counter.gif@avif", .avifSequence, 40),
        ("/unsafe/w:64/plain/local:///counter.gif@mp4", .mp4, 64),
        ("/unsafe/w:64/lz_animate:0.5:5/plain/local:///clip.mp4@webp", .webpAnimation, 64),
        ("/unsafe/w:64/lz_segments:0-0.2,-0.3-/plain/local:///clip.mp4@gif", .gif, 64),
        ("/unsafe/w:64/plain/local:///clip.mp4@mp4", .mp4, 64),
        ("/unsafe/vta:0.5:200:3:64/plain/local:///clip.mp4@webp", .webpAnimation, 64),
        ("/unsafe/lz_sheet:2:2:32/plain/local:///clip.mp4@jpg", .jpeg, 64),
        // Of several pages.
        ("/unsafe/lz_sheet:2:2:50:0.2/plain/local:///clip.mp4@jpg", .jpeg, 100),
        ("/unsafe/pg:0/lz_sheet:2:2:50:0.2/plain/local:///clip.mp4@jpg", .jpeg, 100),
        ("/unsafe/pg:1/lz_sheet:2:2:50:0.2/plain/local:///clip.mp4@jpg", .jpeg, 100),
        // The quality goes down for a bound of bytes, also of what moves.
        ("/unsafe/mb:9000/w:96/plain/local:///counter.gif@webp", .webpAnimation, 96),
        ("/unsafe/rs:fill:30:20/plain/local:///still.jpg@avif", .avif, 30),
    ])
    func `a path makes what it says`(path: String, type: MediaType, width: Int) async throws {
        let response = try await Served().get(path)
        #expect(response.status == 200, "\(response)")
        #expect(response.fields["Content-Type"] == type.mimeType)
        let media = try await Served.media(response)
        #expect(media.info.type == type && media.info.size.width == width)
        #expect(response.fields["ETag"] != nil)
        #expect(response.fields["Cache-Control"]?.contains("stale-while-revalidate") == true)
    }

    @Test(arguments: [
        ("/unsafe/w:1/plain/local:///missing.png", 404), ("/unsafe/w:1", 404), ("/", 404),
        ("/unsafe/w:x/plain/local:///clip.mp4", 404),
        ("/unsafe/what:1/plain/local:///clip.mp4", 404),
        ("/unsafe/fit/100/100/plain/local:///clip.mp4", 404),
        ("/unsafe/plain/local:///../Package.swift", 404),
        ("/unsafe/plain/local:///%2e%2e/Package.swift", 404),
        ("/unsafe/plain/local:///", 404), ("/unsafe/plain/file:///etc/passwd", 404),
        ("/unsafe/plain/local:///./clip.mp4", 404),
        ("/unsafe/plain/http://example.org/a/../b.png", 404),
        ("/unsafe/plain/http://example.org/a/%2e%2E/b.png", 404),
        ("/unsafe/plain/s3://bucket/key", 404), ("/unsafe/plain/data:image/gif;base64,R0", 404),
        ("/unsafe/exp:1/plain/local:///clip.mp4", 404),
        ("/unsafe/plain/local:///still.jpg@svg", 422),
        // Of 5 seconds, 65 are shown; a part beyond the end takes nothing off.
        (
            "/unsafe/lz_segments:\(Array(repeating: "0-5", count: 13).joined(separator: ","))/"
                + "plain/local:///clip.mp4@gif", 404
        ),
        (
            "/unsafe/lz_segments:\(Array(repeating: "0-5", count: 13).joined(separator: ",")),"
                + "1000-1001/plain/local:///clip.mp4@gif", 404
        ),
        ("/unsafe/plain/local:///still.jpg@mp4", 422),
        ("/unsafe/lz_animate:1/plain/local:///still.jpg@webp", 422),
        ("/unsafe/plain/local:///chromium-frames.txt", 415),
        ("/unsafe/plain/http://user:word@example.com/a.png", 404),
        ("/unsafe/mrd:100/plain/local:///still.jpg", 403), ("/w:1/plain/local:///still.jpg", 403),
    ])
    func `what is wrong has a status and a text, and is kept shortly`(
        path: String, status: Int
    ) async throws {
        let response = try await Served().get(path)
        #expect(response.status == status, "\(response)")
        #expect(try await !Served.bytes(response).isEmpty)
        let age = response.fields["Cache-Control"]
        #expect(age == "public, max-age=10" || age == "no-store")
    }

    @Test func `an unknown option is named`() async throws {
        let response = try await Served().get("/unsafe/sparkle:1/plain/local:///clip.mp4")
        let text = String(decoding: try await Served.bytes(response), as: UTF8.self)
        #expect(text == "The option sparkle is not known.\n")
    }

    @Test func `who has a result is told so, and parts of it are sent`() async throws {
        let served = try Served()
        let path = "/unsafe/w:80/plain/local:///clip.mp4@png"
        let whole = await served.get(path)
        let bytes = try await Served.bytes(whole)
        let tag = try #require(whole.fields["ETag"])
        let none = await served.get(path, ["if-none-match": tag])
        #expect(none.status == 304 && none.fields["ETag"] == tag)
        let head = await served.get(path, method: "HEAD")
        #expect(head.status == 200 && head.length == bytes.count)
        if case .none = head.body {} else { Issue.record("a HEAD has a body") }
        let part = await served.get(path, ["range": "bytes=10-19"])
        #expect(part.status == 206 && part.fields["Content-Range"] == "bytes 10-19/\(bytes.count)")
        #expect(try await Served.bytes(part) == Array(bytes[10..<20]))
        let beyond = await served.get(path, ["range": "bytes=\(bytes.count)-"])
        #expect(beyond.status == 416)
    }

    @Test func `a client gets what it shows, and caches are told`() async throws {
        let served = try Served()
        let path = "/unsafe/w:32/plain/local:///still.png"
        for (accept, type) in [
            ("image/avif,image/webp,*/*", "image/avif"), ("image/webp,*/*", "image/webp"),
            ("image/avif;q=0,image/webp", "image/webp"), ("*/*", "image/png"),
        ] {
            let response = await served.get(
                path.replacing("still.png", with: "still-rgb8.png"), ["accept": accept])
            #expect(response.fields["Content-Type"] == type, "\(accept)")
            #expect(response.fields["Vary"] == "Accept")
        }
        #expect(await served.get(path, ["accept": "*/*"]).fields["Vary"] == "Accept")
        let named = await served.get(path + "@png")
        #expect(named.fields["Vary"] == nil)
    }

    @Test func `the source is sent where it is asked for, or is smaller`() async throws {
        let served = try Served()
        let source = try Data(contentsOf: URL(filePath: Media.path("still.jpg")))
        for path in ["/unsafe/raw:1/plain/", "/unsafe/w:5/skp:jpg/plain/"] {
            let response = await served.get(path + "local:///still.jpg")
            #expect(try await Served.bytes(response) == Array(source))
            #expect(response.fields["Content-Type"] == "image/jpeg")
        }
        let gif = await served.get("/unsafe/plain/local:///counter.gif@gif")
        let count = try Data(contentsOf: URL(filePath: Media.path("counter.gif"))).count
        #expect(try await Served.bytes(gif).count <= count)
    }

    @Test func `parts of a source are sent, and its tag tells nothing`() async throws {
        let served = try Served()
        let path = "/unsafe/raw:1/plain/local:///clip.mp4"
        let source = try Data(contentsOf: URL(filePath: Media.path("clip.mp4")))
        let whole = await served.get(path)
        #expect(whole.status == 200 && whole.fields["Accept-Ranges"] == "bytes")
        let tag = try #require(whole.fields["ETag"])
        #expect(tag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil, "\(tag)")
        for (range, part) in [
            ("bytes=10-19", 10..<20), ("bytes=-5", source.count - 5..<source.count),
        ] {
            let response = await served.get(path, ["range": range, "if-range": tag])
            #expect(response.status == 206)
            #expect(try await Served.bytes(response) == Array(source[part]))
        }
        let beyond = await served.get(path, ["range": "bytes=\(source.count)-"])
        #expect(beyond.status == 416)
        let other = await served.get(path, ["range": "bytes=0-1", "if-range": "\"other\""])
        #expect(other.status == 200 && other.length == source.count)
    }

    @Test func `stills of animations are theirs by a setting`() async throws {
        let served = try Served { $0.animationFrames = 1 }
        let response = await served.get("/unsafe/w:40/plain/local:///counter.gif@webp")
        #expect(try await Served.media(response).info.type == .webp)
    }

    /// Sides that are more than files of a type have, of a source that is longer.
    @Test(arguments: ["webp", "avif", "jpg", "gif", "png"], [16_384, 1 << 20])
    func `a result is no longer than its format allows`(ending: String, most: Int) async throws {
        let scratch = Scratch()
        scratch.write(
            try Pictures.plain(PixelSize(width: 16_500, height: 20)).pngData(), "wide.png")
        let served = try Served(scratch.path) { $0.longestSide = most }
        let response = await served.get("/unsafe/plain/local:///wide.png@\(ending)")
        #expect(response.status == 200, "\(response)")
        let width = try await Served.media(response).info.size.width
        let longest = ["webp": 16_383, "avif": 16_384][ending] ?? 16_500
        #expect(width == min(most, longest))
    }

    @Test func `the bounds of formats are those of encoders`() {
        let encoders = ImagePipeline.Configuration.inMemory.renditionEncoders
        for format in ServiceFormat.allCases {
            for type in [format.still, format.moving].compactMap(\.self) {
                guard let traits = encoders.traits(for: type) else { continue }
                #expect(format.longestSide <= traits.longestSide, "\(type)")
            }
        }
    }

    /// Animations and sheets of a film of 640 by 360, whose pictures have a size of their own.
    @Test(arguments: [
        ("vta:0.5:100:3:60:60", 60, 34), ("vta:0.5:100:3:60:60:1", 60, 60),
        ("vta:0.5:100:3:60:60:0:0:1:0:1", 60, 60), ("vta:-1:100:3:60:60", 60, 34),
        ("vts:1/vta:0.5:100:3:60:60", 60, 34), ("vtt:1:2:2:60:60", 120, 68),
        ("vtt:1:2:2:60:60:1", 120, 120), ("vtt:-1:2:2:60:60:0:0:1", 120, 120),
        ("vts:99/vtt:1:1:1:60:60", 60, 34),
    ])
    func `pictures of a film get the size that is asked for`(
        options: String, width: Int, height: Int
    ) async throws {
        let response = try await Served().get("/unsafe/\(options)/plain/local:///clip.mp4@webp")
        #expect(response.status == 200, "\(response)")
        let info = try await Served.media(response).info
        #expect(info.size == PixelSize(width: width, height: height))
        if options.contains("vta") { #expect(info.frameCount == 3) }
    }

    @Test func `pages of an origin may read answers, where that is set`() async throws {
        let path = "/unsafe/w:8/plain/local:///still.jpg@png"
        #expect(try await Served().get(path).fields["Access-Control-Allow-Origin"] == nil)
        let served = try Served { $0.allowedOrigin = "https://example.com" }
        for (target, method, status) in [
            (path, "GET", 200), (path, "GET", 200), (path, "HEAD", 200), (path, "OPTIONS", 200),
            (path, "DELETE", 405), ("/unsafe/x:1/plain/a", "GET", 404), ("/", "OPTIONS", 200),
        ] {
            let response = await served.get(target, method: method)
            #expect(response.status == status)
            #expect(response.fields["Access-Control-Allow-Origin"] == "https://example.com")
            #expect(
                response.fields["Access-Control-Allow-Methods"] == "GET, HEAD, POST, OPTIONS")
            let isTold = method == "OPTIONS" || status == 405
            #expect((response.fields["Allow"] != nil) == isTold)
        }
        let refused = try await served.post("/unsafe/plain/upload:a.png", [])
        #expect(refused.fields["Access-Control-Allow-Origin"] != nil)
    }

    @Test func `a sheet has a table of its tiles`() async throws {
        let response = try await Served().get(
            "/unsafe/lz_sheet:3:2:32/plain/local:///clip.mp4@vtt")
        let text = String(decoding: try await Served.bytes(response), as: UTF8.self)
        #expect(
            text.hasPrefix("WEBVTT")
                && response.fields["Content-Type"]?.hasPrefix("text/vtt") == true)
        #expect(
            text.contains("\n/unsafe/lz_sheet:3:2:32/plain/local:///clip.mp4@jpg#xywh=32,0,32,"),
            "\(text)")
    }

    /// Of plain sources and those in base64, by an extension and by an option.
    @Test(arguments: ["plain/local:///clip.mp4", "bG9jYWw6Ly8vY2xpcC5tcDQ"])
    func `the pages of a table are pictures`(source: String) async throws {
        let served = try Served()
        let mark = source.hasPrefix("plain") ? "@" : "."
        let head = "/unsafe/lz_sheet:2:2:50:0.2/"
        for target in [head + source + mark + "VTT", head + "f:vtt/" + source] {
            let text = String(
                decoding: try await Served.bytes(await served.get(target)), as: UTF8.self)
            let pages = Set(
                text.split(separator: "\n").filter { $0.hasPrefix("/") }
                    .compactMap { $0.split(separator: "#").first })
            #expect(pages.count == 7, "\(text)")
            for page in pages.sorted().prefix(2) {
                let response = await served.get(String(page))
                #expect(response.fields["Content-Type"] == "image/jpeg", "\(page)")
            }
        }
    }

    @Test func `facts are JSON`() async throws {
        let response = try await Served().get("/info/unsafe/plain/local:///clip.mp4")
        #expect(response.fields["Content-Type"] == "application/json")
        let text = String(decoding: try await Served.bytes(response), as: UTF8.self)
        #expect(text.contains("\"type\": \"mp4\""))
    }

    @Test func `names, attachments and ages are as a path says`() async throws {
        let served = try Served()
        let response = await served.get(
            "/unsafe/w:8/fn:caf%C3%A9%22/att:1/exp:32503669200/plain/local:///still.jpg@png")
        let disposition = try #require(response.fields["Content-Disposition"])
        #expect(disposition.hasPrefix("attachment; filename=\""))
        #expect(disposition.filter { $0 == "\"" }.count == 2)
        #expect(response.fields["X-Content-Type-Options"] == "nosniff")
        #expect(response.fields["Content-Security-Policy"]?.contains("default-src 'none'") == true)
        let usual = await served.get("/unsafe/w:8/plain/local:///still.jpg@png")
        #expect(usual.fields["Content-Disposition"] == "inline; filename=\"still.png\"")
    }

    @Test func `a removed source is made anew`() async throws {
        let served = try Served()
        let path = "/unsafe/w:8/cb:1/plain/local:///still.jpg@png"
        #expect(await served.get(path).origin == "made")
        #expect(await served.get(path).origin == "memory")
        #expect(try await served.service.remove(source: "local:///still.jpg") > 0)
        #expect(await served.get(path).origin == "made")
        // Another text is another result.
        #expect(await served.get(path.replacing("cb:1", with: "cb:2")).origin == "made")
    }

    @Test func `another process removes what was made of a source, with all its texts`()
        async throws
    {
        let scratch = Scratch()
        let results = try DataCache(folder: scratch.path("results"), sizeLimit: 1 << 20)
        func served() throws -> Served {
            try Served { _ in
            } pipeline: {
                $0.storeRenditions(in: results)
            }
        }
        let path = "/unsafe/w:8/cb:1/plain/local:///still.jpg@png"
        let first = try served()
        #expect(await first.get(path).origin == "made")
        #expect(await first.get(path.replacing("cb:1", with: "cb:2")).origin == "made")
        #expect(await first.get(path.replacing("cb:1/", with: "")).origin == "made")
        let second = try served()
        #expect(await second.get(path).origin == "disk")
        // Of each text the facts and the result.
        let removed = try await served().service.remove(source: "local:///still.jpg")
        #expect(removed == 6)
        #expect(try await served().get(path).origin == "made")
    }

    @Test func `a file that was sent is removed by its name`() async throws {
        let served = try Served()
        let path = "/unsafe/w:8/plain/upload:a.gif@png"
        #expect(try await served.post(path, Media.array("counter.gif")).origin == "made")
        #expect(try await served.post(path, Media.array("counter.gif")).origin == "memory")
        #expect(try await served.service.remove(source: "upload:a.gif") == 2)
        #expect(try await served.post(path, Media.array("counter.gif")).origin == "made")
    }

    @Test func `a wrong expression is told when it is set`() {
        var configuration = ServiceConfiguration()
        let error = #expect(throws: (any Error).self) {
            try configuration.addReplacement(of: "^a(", by: "b")
        }
        #expect("\(String(describing: error))".contains("^a("))
    }

    @Test func `of equal requests at once one makes the result, and others share it`() async throws
    {
        let served = try Served()
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await served.get("/unsafe/w:64/plain/local:///clip.mp4@png").status
                }
            }
            for await status in group { #expect(status == 200) }
        }
        let results = served.service.counters.results
        // Facts of the source, and the poster.
        #expect(results["made"] == 2, "\(results)")
        #expect(results.values.reduce(0, +) == 16, "\(results)")
    }

    @Test func `a late result is made all the same, for the grace`() async throws {
        let path = "/unsafe/w:40/lz_animate:1/plain/local:///clip.mp4@webp"
        let served = try Served { $0.deadline = .zero }
        let late = await served.get(path)
        #expect(late.status == 504 && late.fields["Retry-After"] == "5")
        // Its facts and the result.
        for _ in 0..<6000 where served.service.counters.results["made"] != 2 {
            try await Task.sleep(for: .milliseconds(100))
        }
        served.service.configuration.deadline = .seconds(600)
        #expect(await served.get(path).origin == "memory")

        let hasty = try Served { ($0.deadline, $0.grace) = (.zero, .zero) }
        #expect(await hasty.get(path).status == 504)
        for _ in 0..<6000 where hasty.service.admission.counts.running > 0 {
            try await Task.sleep(for: .milliseconds(100))
        }
        hasty.service.configuration.deadline = .seconds(600)
        #expect(await hasty.get(path).origin == "made")
    }

    @Test func `a changed file is another version`() async throws {
        let scratch = Scratch()
        let file = scratch.path("a.png")
        func write(_ width: Int) throws {
            let png = try Pictures.plain(PixelSize(width: width, height: 10)).pngData()
            try Data(png).write(to: URL(filePath: file))
        }
        try write(10)
        let served = try Served(scratch.path)
        let first = await served.get("/unsafe/plain/local:///a.png@png")
        try write(12)
        let second = await served.get("/unsafe/plain/local:///a.png@png")
        #expect(try await Served.media(first).info.size.width == 10)
        #expect(try await Served.media(second).info.size.width == 12)
        #expect(first.fields["ETag"] != second.fields["ETag"])
    }

    /// Links within the folder, and some that lead out of it, or nowhere.
    @Test(arguments: [
        ("a.png", 200), ("./a.png", 200), ("b/../a.png", 200), ("../root/a.png", 404),
        (Media.path("still.jpg"), 404), ("/proc/self/exe", 404), ("link", 404), ("none", 404),
    ])
    func `links lead to files of the folder, and not out of it`(
        target: String, status: Int
    ) async throws {
        let scratch = Scratch()
        let root = scratch.path("root")
        try FileManager.default.createDirectory(
            atPath: root + "/b", withIntermediateDirectories: true)
        let png = try Pictures.plain(PixelSize(width: 8, height: 8)).pngData()
        try Data(png).write(to: URL(filePath: root + "/a.png"))
        try FileManager.default.createSymbolicLink(
            atPath: root + "/link", withDestinationPath: target)
        let served = try Served(root)
        #expect(await served.get("/unsafe/plain/local:///link@jpg").status == status)
    }
}
