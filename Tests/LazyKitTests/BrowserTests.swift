import BrowserSupport
import Foundation
import LazyBase
import LazyKit
import Support
import Testing

/// What is here is what a real browser makes of it.
@Suite(.ownThreads, .serialized, .enabled(if: Browser.isInstalled, "Chromium is not installed"))
struct `A real browser` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "media")

    @Test func `decodes the animations of media as we do`() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        let files = try names.compactMap { name -> Browser.File? in
            let types = ["gif": "image/gif", "apng": "image/png", "webp": "image/webp"]
            let ending = name == "animation.png" ? "apng" : String(name.split(separator: ".")[1])
            // A lossy still is handed out as YUV, and converted by another part of the browser.
            if name == "still.webp" { return nil }
            return try types[ending].map { type in
                let data = try Data(contentsOf: Self.folder.appending(path: name))
                return Browser.File(name, type: type, Array(data))
            }
        }
        #expect(files.count > 15)
        for (file, theirs) in zip(files, try await Self.decode(files)) {
            let sequence = try FrameSequence(
                opening: try MemoryBytes(file.bytes), registry: .standard)
            let ours = try await Self.frames(of: sequence)
            #expect(ours.map(\.digest) == theirs.frames.map(\.digest), "\(file.name)")
            if ours.count > 1 {
                #expect(ours == theirs.frames, "\(file.name)")
                let plays = theirs.repeats.map { $0 + 1 }
                #expect(sequence.info.loop.plays == plays, "\(file.name)")
            }
        }
    }

    @Test func `leaves no files behind`() async throws {
        let profile = try await BlockingPool.shared.run {
            Result {
                let browser = try Browser(files: [])
                _ = try browser.evaluate("document.title")
                return browser.profile
            }
        }.get()
        #expect(!FileManager.default.fileExists(atPath: profile))
    }

    /// Blocking work belongs on the pool.
    static func decode(_ files: [Browser.File]) async throws -> [BrowserPicture] {
        try await BlockingPool.shared.run {
            Result {
                let browser = try Browser(files: files)
                return try files.map(browser.decode)
            }
        }.get()
    }

    /// Our frames in the words of the browser, whose decoder tells the file's own delays.
    static func frames(of sequence: FrameSequence) async throws -> [BrowserPicture.Frame] {
        var frames: [BrowserPicture.Frame] = []
        for try await frame in sequence.frames() {
            let bitmap = frame.bitmap
            var digest = SHA256()
            bitmap.withBytes { digest.update(visiblePixels: $0) }
            let text = digest.finish().hexadecimal()
            frames.append(
                .init(
                    microseconds: Int(frame.timing.rawDuration.microseconds),
                    width: bitmap.size.width, height: bitmap.size.height, digest: text))
        }
        return frames
    }
}
