import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Files that tools of others are asked about.
private func files() async throws -> [(name: String, bytes: [UInt8], slides: Slides)] {
    let pictures = try (0..<12).map { index in
        try Bitmap.drawn(101, 67) { x, y in
            let isInside = (x - 5 * index).magnitude < 9 && (y - 30).magnitude < 9
            return isInside
                ? [250, 20, UInt8(x), 255]
                : [UInt8(x * 2), UInt8(y * 3), UInt8((x * 7 ^ y * 5) & 63), 255]
        }
    }
    let ghosts = try (0..<7).map { index in
        try Bitmap.drawn(50, 41, isOpaque: false) { x, y in
            x / 8 == index ? [30, 200, 60, 255] : y / 10 == 2 ? [9, 9, 200, 128] : .zero
        }
    }
    var film = Slides(pictures, milliseconds: 70, loop: .plays(3))
    film.durations[4] = MediaTime(ticks: 1, base: Rational(1, 3))
    let ghost = Slides(ghosts, milliseconds: 55, loop: .plays(0))
    return [
        ("lossy", try await film.animated(.init(lossless: false)), film),
        ("lossless", try await film.animated(.init(lossless: true)), film),
        ("mixed", try await film.animated(), film),
        ("ghost-lossy", try await ghost.animated(.init(lossless: false)), ghost),
        ("ghost-lossless", try await ghost.animated(.init(lossless: true)), ghost),
        ("still-lossy", try await Slides([ghosts[0]]).animated(.init(lossless: false)), ghost),
        ("still", try await Slides([pictures[0]]).animated(.init(lossless: true)), film),
    ]
}

@Suite(.ownThreads) struct `WebP as others see it` {
    @Test(.needs("webpinfo"))
    func `webpinfo finds no fault`() async throws {
        let folder = Scratch()
        for (name, bytes, _) in try await files() {
            let path = folder.write(bytes, "\(name).webp")
            let report = String(
                decoding: Peer.output(of: "webpinfo -diag \(path) 2>&1; echo exit $?"),
                as: UTF8.self)
            #expect(report.hasSuffix("exit 0\n"), "\(name): \(report)")
            #expect(report.contains("No error detected."), "\(name): \(report)")
            #expect(!report.contains("Warning"), "\(name): \(report)")
        }
    }

    @Test(.needs("webpmux"))
    func `webpmux lists the frames, their rectangles and durations`() async throws {
        let folder = Scratch()
        for (name, bytes, slides) in try await files() where !name.hasPrefix("still") {
            let path = folder.write(bytes, "\(name).webp")
            let report = String(decoding: Peer.output(of: "webpmux -info \(path)"), as: UTF8.self)
            let lines = report.split(separator: "\n").map(String.init)
            let file = try #require(try WebPFile(MemoryBytes(bytes), limits: .web))
            #expect(report.contains("Canvas size: \(file.size?.width ?? 0) x "))
            #expect(report.contains("Loop Count : \(slides.info.loop.plays ?? 0)\n"))
            let rows = lines.filter { $0.contains("none") }.map {
                $0.split(separator: " ").map(String.init)
            }
            #expect(rows.count == file.images.count)
            for (row, image) in zip(rows, file.images) {
                let header = image.header
                #expect(row[1...2] == ["\(header.rect.width)", "\(header.rect.height)"])
                #expect(
                    row[4...6] == ["\(header.rect.x)", "\(header.rect.y)", "\(header.duration)"])
                #expect(row[3] == (image.hasAlpha ? "yes" : "no"))
            }
        }
    }

    @Test func `libwebp's own decoder shows the same`() async throws {
        for (name, bytes, _) in try await files() where !name.hasPrefix("still") {
            let oracle = try #require(AnimationOracle(bytes))
            let frames = try await opened(bytes, .raw).all()
            #expect(frames.map(\.bitmap.visible) == oracle.frames, "\(name)")
        }
    }

    @Test(.needs("dwebp"))
    func `dwebp reads a still as we do`() async throws {
        let folder = Scratch()
        for (name, bytes, _) in try await files() where name.hasPrefix("still") {
            let path = folder.write(bytes, "\(name).webp")
            let pam = Peer.output(of: "dwebp -quiet -pam \(path) -o -")
            let frame = try await opened(bytes).all()[0]
            let mark = Array("ENDHDR\n".utf8)
            let start = try #require(
                pam.indices.first { pam[$0...].starts(with: mark) }.map { $0 + mark.count })
            #expect(Array(pam[start...]) == frame.bitmap.withBytes { Array($0) }, "\(name)")
        }
    }

    func `an animation of another encoder reads as libwebp reads it`() async throws {
        let bytes = try Media.array("animation.webp")
        let oracle = try #require(AnimationOracle(bytes))
        #expect(try await opened(bytes).all().map(\.bitmap.visible) == oracle.frames)
    }
}
