import LazyKit
import LazyMedia
import Support
import Testing

@testable import LazyService

/// Sources that are sent in place of larger results: those that have nothing but pixels.
@Suite(.timeLimit(.minutes(2))) struct PlainFileTests {
    private static let formats: [ServiceFormat] = [.png, .jpeg, .webp, .gif, .avif]

    /// A small picture as a file, of few bytes so that results have more.
    private static func file(_ format: ServiceFormat) async throws -> [UInt8] {
        var options = EncodingOptions()
        if format == .jpeg { options.quality = 5 }
        let picture = try Pictures.plain(PixelSize(width: 64, height: 32))
        return try await picture.encoded(as: try #require(format.still), options)
    }

    /// A JPEG with a segment behind its first marker.
    private static func inserting(_ marker: UInt8, _ body: [UInt8], in jpeg: [UInt8]) -> [UInt8] {
        let length = body.count + 2
        let head = [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)]
        return Array(jpeg[..<2]) + head + body + Array(jpeg[2...])
    }

    private static func exif(_ orientation: UInt8) -> [UInt8] {
        Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
            + [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] + [0, 0, 0, 0]
    }

    @Test(arguments: formats) func `what is written here is plain, and its parts are not`(
        format: ServiceFormat
    ) async throws {
        let bytes = try await Self.file(format)
        #expect(PlainFile.isPlain(bytes, as: format))
        #expect(!PlainFile.isPlain(bytes + [0], as: format))
        for count in 0..<bytes.count {
            // A last marker or chunk may be missing; nothing is read beyond the end.
            _ = PlainFile.isPlain(Array(bytes[..<count]), as: format)
        }
    }

    @Test func `metadata and profiles are not plain`() async throws {
        let jpeg = try await Self.file(.jpeg)
        for (marker, body) in [
            (0xE1, Self.exif(1)), (0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8)),
            (0xE2, Array("ICC_PROFILE\0".utf8)), (0xED, Array("Photoshop 3.0\0".utf8)),
            (0xFE, Array("a comment".utf8)),
        ] as [(UInt8, [UInt8])] {
            #expect(!PlainFile.isPlain(Self.inserting(marker, body, in: jpeg), as: .jpeg))
        }
        let png = try await Self.file(.png)
        for name in ["eXIf", "iCCP", "tEXt", "iTXt", "zTXt", "cICP", "tIME"] {
            let chunk = [0, 0, 0, 0] + Array(name.utf8) + [0, 0, 0, 0]
            let bytes = Array(png[..<33]) + chunk + Array(png[33...])
            #expect(!PlainFile.isPlain(bytes, as: .png), "\(name)")
        }
        let webp = try await Self.file(.webp)
        for name in ["EXIF", "XMP ", "ICCP"] {
            let chunk = Array(name.utf8) + [0, 0, 0, 0]
            #expect(!PlainFile.isPlain(webp + chunk, as: .webp), "\(name)")
        }
        let gif = try await Self.file(.gif)
        let comment: [UInt8] = [0x21, 0xFE, 1, 65, 0]
        #expect(!PlainFile.isPlain(Array(gif.dropLast()) + comment + [0x3B], as: .gif))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt8>)
    func `a picture with an orientation is turned, and comes without metadata`(
        orientation: UInt8
    ) async throws {
        let scratch = Scratch()
        let plain = try await Self.file(.jpeg)
        scratch.write(plain, "plain.jpg")
        scratch.write(Self.inserting(0xE1, Self.exif(orientation), in: plain), "turned.jpg")
        let served = try Served(scratch.path)
        for options in ["", "ar:1/", "rs:fit:0:0/", "rs:fill:300:300/", "sm:1/scp:1/"] {
            // The second time the result is in memory.
            for _ in 0..<2 {
                let response = await served.get("/unsafe/\(options)plain/local:///turned.jpg@jpg")
                let size = try await Served.media(response).info.size
                #expect(size.width == (orientation < 5 ? 64 : 32), "\(options)")
                let bytes = try await Served.bytes(response)
                #expect(!bytes.contains(Array("Exif".utf8)))
            }
            let source = await served.get("/unsafe/\(options)plain/local:///plain.jpg@jpg")
            #expect(try await Served.bytes(source) == plain)
        }
    }
}
