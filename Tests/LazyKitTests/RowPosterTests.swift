import Glibc
import LazyBase
import LazyKit
import LazyMedia
import LazyRenditions
import Support
import Testing

/// Posters that are encoded while they are decoded, compared with those of whole pictures.
@Suite struct RowPosterTests {
    /// Media whose rows are not to be had.
    private struct WholeMedia: MappedMedia {
        let base: any OpenedMedia
    }

    /// A rendition of a picture that is only encoded anew.
    private static let renditions: [Rendition] = [
        .poster(.auto, as: .jpeg), .poster(.first, as: .png), .poster(.at(.zero), as: .jpeg),
        .conversion(to: .png), .conversion(to: .jpeg),
    ].flatMap { (rendition: Rendition) in
        [nil, 0, 7].map { effort in
            var rendition = rendition
            rendition.output.encoding.effort = effort
            return rendition
        }
    }

    /// The stills of `media/`, and some that are not there.
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let names = Media.names.filter { name in
            name.hasPrefix("still")
                && ["png", "jpg", "webp"].contains(name.split(separator: ".").last)
        }
        var files = try (names + ["wide-gamut.png"]).map { ($0, try Media.array($0)) }
        for (width, height) in [(1, 1), (1, 300), (257, 3), (401, 301)] {
            for isOpaque in [true, false] {
                let noise = try noise(width, height, isOpaque: isOpaque)
                files.append(("noise \(width)x\(height)", noise))
            }
        }
        return files
    }

    private static func noise(_ width: Int, _ height: Int, isOpaque: Bool) throws -> [UInt8] {
        var random = SplitMix(UInt64(width * height))
        let size = PixelSize(width: width, height: height)
        let bitmap = try Bitmap(size: size, isOpaque: isOpaque) { rows in
            let pixels = rows.bindMemory(to: UInt32.self)
            for place in pixels.indices {
                let pixel = UInt32(truncatingIfNeeded: random.next())
                pixels[place] = pixel | (isOpaque ? 255 << 24 : 0)
            }
        }
        let encoder = try EncoderRegistry.pictures.stillEncoder(for: .png, .init(effort: 0))
        return try encoder.encode(StillPicture(bitmap)) { Array($0) }
    }

    /// The file, and what is told of it; the words of the error where there is none.
    private static func made(
        _ rendition: Rendition, of frames: FrameSequence
    ) async -> (text: String, bytes: [UInt8]) {
        do throws(MediaError) {
            let frames = frames.rendered(
                color: rendition.reading.color, samples: rendition.reading.samples)
            let (bytes, report) = try await rendition.data(
                of: .init(frames), encoders: .pictures)
            guard case .poster(let poster) = report.details else {
                return ("\(report)", bytes)
            }
            let told = """
                \(report.size) \(report.warnings) \(poster.warnings) \(poster.timing as Any) \
                \(poster.candidates) \(report.byteCount) \(poster.bitmap.isOpaque) \
                \(poster.bitmap.withBytes { PixelSum.of($0) })
                """
            return (told, bytes)
        } catch {
            return ("\(error)", [])
        }
    }

    private enum PixelSum {
        static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
            bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        }
    }

    @Test(arguments: renditions, [ColorOutput.sRGB(), .source])
    func `the file, the report and the picture are those of the whole`(
        _ rendition: Rendition, _ color: ColorOutput
    ) async throws {
        var rendition = rendition
        rendition.reading.color = color
        for (name, bytes) in try Self.files() {
            let scratch = Scratch()
            for length in [bytes.count, bytes.count * 2 / 3, bytes.count - 1, 31] {
                let path = scratch.write(Array(bytes.prefix(length)), "\(length)")
                for source in [try FileBytes(path: path), try MemoryBytes(bytes.prefix(length))]
                    as [any ByteSource]
                {
                    guard
                        let frames = try? FrameSequence(
                            opening: source, limits: .local, registry: .standard)
                    else { continue }
                    let rows = await Self.made(rendition, of: frames)
                    let whole = await Self.made(
                        rendition, of: frames.wrapped { WholeMedia(base: $0) })
                    #expect(rows.text == whole.text, "\(name), \(length)")
                    #expect(rows.bytes == whole.bytes, "\(name), \(length)")
                }
            }
        }
    }

    @Test func `rows are read where they come from the top, and none are missing`() async throws {
        for (name, bytes) in try Self.files() {
            let isOther = name.contains("interlaced") || name.contains("orientation")
            for length in [bytes.count, bytes.count * 2 / 3] {
                let frames = try FrameSequence(
                    opening: MemoryBytes(bytes.prefix(length)), registry: .standard)
                let isProgressive = name.contains("progressive")
                for type in [MediaType.jpeg, .png] {
                    let made = try await frames.encodedPoster(
                        .first, as: type, .init(), texts: [], by: .pictures)
                    let isWhole = length == bytes.count || isProgressive
                    #expect((made != nil) == (isWhole && !isOther), "\(name), \(length)")
                }
                let webp = try await frames.encodedPoster(
                    .first, as: .webp, .init(), texts: [], by: .pictures)
                #expect(webp == nil)
            }
        }
    }

    /// Pixels of a large picture, by their place.
    private enum Content: CaseIterable {
        case shades, flatArt, manyFlatColors

        func pixel(_ x: Int, _ y: Int) -> UInt32 {
            switch self {
            case .shades: UInt32(255 << 24 | (x & 255) << 16 | (y & 255) << 8 | (x + y) >> 5)
            case .flatArt: UInt32(255 << 24 | (x >> 9) * 40 + (y >> 10))
            case .manyFlatColors: UInt32(255 << 24 | (x >> 7) << 8 | (y >> 7))
            }
        }
    }

    @Test(arguments: [MediaType.jpeg, .png], Content.allCases)
    private func `a large picture takes little memory`(
        _ type: MediaType, _ content: Content
    ) async throws {
        let size = PixelSize(width: 3000, height: 2000)
        let large = try Bitmap(size: size, isOpaque: true) { rows in
            let pixels = rows.bindMemory(to: UInt32.self)
            for place in pixels.indices {
                pixels[place] = content.pixel(place % size.width, place / size.width)
            }
        }
        let bytes = try await large.encoded(as: .png, by: .pictures)
        let scratch = Scratch()
        let path = scratch.write(bytes, "large.png")
        await #expect(processExitsWith: .success) {
            [path = path as String, name = type.name as String] in
            guard let type: MediaType = [.jpeg, .png].first(where: { $0.name == name }),
                let frames = try? FrameSequence(path: path)
            else { exit(3) }
            let before = ProcessMemory.resident
            var rendition = Rendition.conversion(to: type)
            rendition.output.encoding.effort = 0
            guard (try? await rendition.data(of: .init(frames), encoders: .pictures)) != nil
            else { exit(4) }
            // The picture takes 24 MB, and rows with what else is loaded for them half of that.
            if !Sanitizer.isLinked, ProcessMemory.peak - before > 18 << 20 { exit(5) }
        }
    }
}
