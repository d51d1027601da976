import LazyKit
import LazyMedia
import Support
import Testing

/// The formats of this build, and what is derived from them.
@Suite struct StandardFormatsTests {
    private static let registry = FormatRegistry.standard

    @Test func `names, types and written extensions are unique`() {
        let formats = Self.registry.formats
        #expect(Set(formats.map(\.name)).count == formats.count)
        let types = formats.flatMap(\.types)
        #expect(Set(types).count == types.count)
        #expect(Set(MediaType.all) == Set(types))
        // A still and an animated type of one format share an extension; no two formats do.
        for format in formats {
            for type in format.types {
                let written = type.fileExtensions[0]
                let others = formats.filter { other in
                    other.name != format.name
                        && other.types.contains { $0.fileExtensions.first == written }
                }
                #expect(others.isEmpty, "\(written)")
            }
        }
    }

    @Test(arguments: registry.formats.map(\.name))
    func `a format says all of itself`(name: String) throws {
        let format = try #require(Self.registry.formats.first { $0.name == name })
        #expect(!format.types.isEmpty)
        for type in format.types {
            #expect(type.mimeTypes.allSatisfy { $0.split(separator: "/").count == 2 })
            #expect(!type.fileExtensions.isEmpty)
            #expect(type.fileExtensions.allSatisfy { $0 == $0.lowercased() && !$0.hasPrefix(".") })
            #expect(!type.title.isEmpty)
            #expect(Self.registry.decoders.decoder(for: type) != nil, "\(type) is not read")
        }
        for factory in format.encoders {
            #expect(format.types.contains(factory.type))
            #expect(factory.traits.canAnimate == (factory.type.family != .still))
            let encoder = try factory.makeEncoder()
            #expect(encoder.canAnimate == factory.traits.canAnimate)
        }
        if let rewriter = format.rewriter { #expect(format.types.contains(rewriter.type)) }
    }

    /// A file of `media/`, and the decoder that is asked first for it.
    @Test(arguments: [
        ("counter.gif", MediaType.gif, "giflib"), ("still-rgb8.png", .png, "libpng"),
        ("still.jpg", .jpeg, "libjpeg-turbo"), ("still.webp", .webp, "libwebp"),
        ("animation.webp", .webpAnimation, "libwebp"), ("still.avif", .avif, "libavif"),
        ("still.jxl", .jpegXL, "libjxl"), ("animation.jxl", .jpegXLAnimation, "libjxl"),
        ("still.bmp", .bmp, "lazyimg"), ("still.ico", .ico, "lazyimg"),
        ("still.tiff", .tiff, "libtiff"), ("photo.heic", .heic, "heif"),
        ("clip.mp4", .mp4, "ffmpeg"), ("vp9.webm", .webm, "ffmpeg"), ("h264.mov", .mov, "ffmpeg"),
    ]) func `files are recognized and read by their own library`(
        name: String, type: MediaType, decoder: String
    ) throws {
        #expect(try MediaType.sniffing(FileBytes(path: Media.path(name))) == type)
        #expect(DecoderRegistry.standard.decoder(for: type)?.name == decoder)
    }

    @Test func `the next decoder of a type is FFmpeg's where it has one`() {
        let names = DecoderRegistry.standard.decoders.filter { $0.canOpen(.jpeg) }.map(\.name)
        #expect(names == ["libjpeg-turbo", "ffmpeg"])
        #expect(DecoderRegistry.standard.decoders.map(\.name).filter { $0 == "ffmpeg" }.count == 1)
    }

    /// What is asked for, whether there are several pictures, and what is written.
    @Test(arguments: [
        (MediaType.webp, true, MediaType.webpAnimation), (.webpAnimation, false, .webp),
        (.avif, true, .avifSequence), (.avifSequence, false, .avif), (.apng, false, .png),
        (.gif, false, .gif), (.mp4, false, .mp4), (.png, true, .png), (.jpeg, true, .jpeg),
        (.bmp, true, .bmp),
    ]) func `the type follows the number of pictures`(
        wanted: MediaType, isAnimation: Bool, written: MediaType
    ) {
        #expect(EncoderRegistry.standard.type(wanted, isAnimation: isAnimation) == written)
    }

    @Test func `animations of pictures are rewritten, and nothing else`() {
        let rewritten = MediaType.all.filter { $0.rewriter != nil }
        #expect(Set(rewritten) == [.gif, .webpAnimation, .apng, .avifSequence])
    }

    @Test func `each library is listed once`() {
        let names = InstalledLibrary.all().map(\.name)
        #expect(Set(names).count == names.count)
        for name in [
            "giflib", "libpng", "ISA-L", "libjpeg-turbo", "libwebp", "libavif", "libjxl", "libtiff",
            "libass", "libcurl", "libmagic",
        ] {
            #expect(names.contains(name))
        }
    }

    @Test func `the version of libass has three numbers`() throws {
        let library = try #require(InstalledLibrary.all().first { $0.name == "libass" })
        #expect(try #require(library.version).wholeMatch(of: /0\.\d{1,2}\.\d{1,2}/) != nil)
    }

    @Test func `the thumbnailer's types are those of animations, videos and songs`() throws {
        let path = Project.folder + "share/thumbnailers/lazyimg.thumbnailer"
        let file = try FileBytes(path: String(path)).contiguous().withBytes {
            String(decoding: $0, as: UTF8.self)
        }
        let line = try #require(file.split(separator: "\n").first { $0.hasPrefix("MimeType=") })
        let listed = Set(line.dropFirst("MimeType=".count).split(separator: ";").map(String.init))
        let moving = Self.registry.types.filter {
            [.animation, .video, .audio].contains($0.family)
        }
        let expected = Set(moving.flatMap(\.mimeTypes))
        #expect(listed.subtracting(expected) == [])
        #expect(expected.subtracting(listed) == [])
    }
}
