import LazyBase
import Support
import Testing

@testable import LazyMedia

/// Where the film of a motion photo lies, and what happens where the file lies about it.
@Suite struct MotionPhotoTests {
    /// Counts what is read.
    private final class Counting: ByteSource {
        let base: MemoryBytes
        private let read = Locked(0)
        var sum: Int { read.withLock { $0 } }
        var count: Int { base.count }
        init(_ bytes: [UInt8]) throws { base = try MemoryBytes(bytes) }
        func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            #expect(offset >= 0 && offset <= count)
            let got = base.read(at: offset, into: buffer)
            read.withLock { $0 += got }
            return got
        }
        func contiguous() -> MemoryBytes { base }
    }

    private static let still = [UInt8](repeating: 0x55, count: 300_000)
    private static let film = (try? Media.array("small.mp4")) ?? []
    private static let real = film.count

    /// The film that is found behind a still, by XMP.
    private func look(_ xmp: String, _ file: [UInt8]) throws -> (MediaInfo, read: Int) {
        let bytes = try Counting(file)
        let photo = try MotionPhoto(bytes, xmp: Array(xmp.utf8))
        var info = MediaInfo(type: .jpeg, codec: "", size: PixelSize(width: 1, height: 1))
        photo.describe(&info)
        #expect((info.motion == nil) == ((try? photo.filmBytes()) == nil))
        if let range = info.motion?.range {
            #expect(try photo.filmBytes().count == range.count)
        }
        return (info, bytes.sum)
    }

    @Test(arguments: [0, 1, -1, 700, -700, 60_000, -60_000])
    func `a film near the announced place is found`(error: Int) throws {
        let file = Self.still + Self.film
        for xmp in [
            MotionForge.offset(Self.real + error),
            MotionForge.directory([("MotionPhoto", Self.real + error, 0)]),
        ] where Self.real + error > 0 {
            let (info, read) = try look(xmp, file)
            #expect(info.motion?.range == Self.still.count..<file.count)
            #expect(info.motion?.type == .mp4)
            #expect(info.motionWarning == nil)
            #expect(read <= (error == 0 ? 2_000 : 140_000))
        }
    }

    @Test(arguments: [
        1, 8, 70_000, 299_000, 299_999, 300_000, 10_000_000, Int(1e14), 999_999_999_999_999,
    ]) func `a length that lies is said, and reads little`(length: Int) throws {
        let file = Self.still + Self.film + [UInt8](repeating: 0x55, count: 600_000)
        let (info, read) = try look(MotionForge.offset(length), file)
        #expect(info.motion == nil)
        #expect(info.motionWarning?.message.contains("announces a film \(length) bytes") == true)
        #expect(read <= 140_000)
    }

    @Test func `what follows the film is not part of it`() throws {
        let rest = [UInt8](repeating: 0, count: 500)
        let file = Self.still + Self.film + rest
        let xmp = MotionForge.directory([("MotionPhoto", Self.real, 0), ("Other", 500, 0)])
        let film = Self.still.count..<Self.still.count + Self.real
        #expect(try look(xmp, file).0.motion?.range == film)
        // Without a word about it in the XMP: no box begins with it.
        #expect(try look(MotionForge.offset(Self.real + 500), file).0.motion?.range == film)
    }

    @Test func `a film that is cut off is kept as far as it goes`() throws {
        let xmp = MotionForge.offset(Self.real)
        for length in [40, 200, Self.real / 2, Self.real - 1] {
            let file = Self.still + Self.film[..<length]
            let (info, _) = try look(MotionForge.offset(length), file)
            #expect(info.motion?.range.upperBound == file.count)
            _ = try look(xmp, file)
        }
    }

    @Test func `the length and the time of the still are told`() throws {
        let xmp = MotionForge.directory([("MotionPhoto", Self.real, 0)])
        let film = try look(xmp, Self.still + Self.film).0.motion
        let told = String(
            decoding: Peer.output(
                of: "ffprobe -v error -show_entries format=duration -of csv=p=0 "
                    + Media.path("small.mp4")), as: UTF8.self)
        let seconds = try #require(Double(told.prefix { !$0.isNewline }))
        #expect(film?.duration == .microseconds(Int64((seconds * 1e6).rounded())))
        #expect(film?.stillTime == .milliseconds(500))
    }

    @Test func `Samsung's trailer names the film among other blocks`() throws {
        let trailer = MotionForge.trailer(Self.film)
        let bytes = try MemoryBytes(Self.still + trailer)
        let film = try MotionPhoto(bytes).filmBytes()
        #expect(try film.bytes(film.count, at: 0) == Self.film)
    }

    @Test func `numbers of a trailer lead nowhere outside of the file`() throws {
        let file = Array(Self.still.prefix(64)) + MotionForge.trailer(Self.film)
        let directory = file.count - 8 - 48
        // Each number of the directory: length, count, and the entry of the film.
        for place in [file.count - 8, directory + 8, directory + 28, directory + 32] {
            for value in [0, 1, 11, 1 << 16, 1 << 24, 1 << 31, 0xFFFF_FFFF] {
                var bytes = file
                bytes.replaceSubrange(place..<place + 4, with: MotionForge.little(value, 4))
                let photo = try MotionPhoto(Counting(bytes))
                if let film = try? photo.filmBytes() { #expect(film.count <= bytes.count) }
            }
        }
        for length in 0..<200 {
            _ = try? MotionPhoto(Counting(file.suffix(length))).filmBytes()
        }
    }

    @Test func `nothing is looked for in bytes that are still arriving`() throws {
        final class Arriving: ByteSource {
            let count = 1000
            let isPartial = true
            func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
                Issue.record("It was read.")
                return 0
            }
            func contiguous() throws(MediaError) -> MemoryBytes { throw .noFilm }
        }
        let photo = try MotionPhoto(Arriving(), xmp: Array(MotionForge.offset(70).utf8))
        #expect(throws: MediaError.self) { try photo.filmBytes() }
    }
}
