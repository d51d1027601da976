import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Files whose properties are associated with items by several tables.
@Suite(.ownThreads) struct AssociationTests {
    @Test func `several tables of one kind are read as one`() async throws {
        var movie = TestMovie(1)
        movie.isOpaque = false
        let whole = try await movie.encoded()
        let parted = Self.parting(whole)
        #expect(parted.count == whole.count + 16)
        let media = try Decoded.media(parted, .avif)
        #expect(media.info.hasAlpha)
        let wanted = try Decoded.frames(Decoded.media(whole, .avif)).map(\.bitmap)
        #expect(try Decoded.frames(media).map(\.bitmap) == wanted)
    }

    @Test func `minimized tables are refused by name`() {
        let file = ISOBox.make("ftyp", Array("mif3avif".utf8)) + ISOBox.make("mini", [8, 0, 0, 0])
        let error = #expect(throws: MediaError.self) { try Decoded.media(file, .avif) }
        #expect(error?.code == .unsupported)
        #expect(error?.isDeclined == false)
        #expect(error?.message.contains("mini") == true)
    }

    /// The last item's associations in an `ipma` of their own, and all data 16 bytes later.
    private static func parting(_ file: [UInt8]) -> [UInt8] {
        ISOBox.boxes(file, in: file.indices).flatMap { box -> [UInt8] in
            guard box.kind == ISOBox.kind("meta") else { return Array(file[box.range]) }
            let start = box.content.lowerBound + 4
            let children = ISOBox.boxes(file, in: start..<box.content.upperBound)
            let head = Array(file[box.content.lowerBound..<start])
            return ISOBox.make("meta", head + children.flatMap { parted($0, file) })
        }
    }

    private static func parted(_ box: ISOBox, _ file: [UInt8]) -> [UInt8] {
        switch box.kind {
        case ISOBox.kind("iprp"):
            return ISOBox.make("iprp", box.children(file).flatMap { parted($0, file) })
        case ISOBox.kind("ipma"):
            let content = Array(file[box.content])
            // Items of 16 bits, associations of 8.
            var (entries, offset) = ([[UInt8]](), 8)
            while offset < content.count {
                let end = offset + 3 + Int(content[offset + 2])
                entries.append(Array(content[offset..<end]))
                offset = end
            }
            return [entries.dropLast(), entries.suffix(1)].flatMap { entries -> [UInt8] in
                let head = Array(content[..<4]) + [0, 0, 0, UInt8(entries.count)]
                return ISOBox.make("ipma", head + Array(entries.joined()))
            }
        case ISOBox.kind("iloc"):
            // Offsets and lengths of 32 bits; one extent for each item.
            var content = Array(file[box.content])
            for place in stride(from: 8 + 6, to: content.count, by: 14) {
                let moved = content.bigEndian32(at: place) + 16
                content.replaceSubrange(place..<place + 4, with: moved.bigEndianBytes)
            }
            return ISOBox.make("iloc", content)
        default: return Array(file[box.range])
        }
    }
}
