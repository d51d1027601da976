import CHostile
import Glibc
import LazyIsolation
import LazyMedia

// A program that decodes for others, whose decoder does what its media says: the text after `HOSTILE `, wherever that
// is.

/// Tries what the sandbox must refuse, and says what came of it in an error.
struct HostileDecoder: MediaDecoding {
    let name = "hostile"

    func canOpen(_ type: MediaType) -> Bool { true }

    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        let text = try bytes.contiguous().withBytes { String(decoding: $0, as: UTF8.self) }
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1, words[0].hasSuffix("HOSTILE") else {
            throw MediaError(.malformed, "There is no command.")
        }
        let argument = words.count > 2 ? words[2] : ""
        switch words[1] {
        case "send": send(argument, descriptors: 0)
        case "flood": send("00", descriptors: Int(argument) ?? 1)
        case "silent": while true { sleep(1000) }
        case "spin": while true {}
        case "ask": askForever()
        case "eat": hostile_eat()
        case "crash": raise(SIGSEGV)
        case "abort": abort()
        case "leave": _exit(0)
        case "secret":
            let found = hostile_finds(argument)
            throw MediaError(.malformed, found == 0 ? "nothing found" : "found in \(found)")
        case "frames": return HostileMedia(mode: argument)
        default:
            let error = hostile_attempt(words[1], argument)
            throw MediaError(.malformed, error == 0 ? "it worked" : "refused: \(error)")
        }
        while true { sleep(1000) }
    }

    /// Asks for the first byte, again and again.
    private func askForever() -> Never {
        var answer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            send("000800000000000000000100000000000000", descriptors: 0)
            recv(3, &answer, answer.count, 0)
        }
    }

    /// Sends bytes written as hexadecimal digits in place of an answer.
    private func send(_ digits: String, descriptors: Int) {
        let characters = Array(digits)
        let bytes = stride(from: 0, to: characters.count - 1, by: 2).map {
            UInt8(String(characters[$0...$0 + 1]), radix: 16) ?? 0
        }
        _ = hostile_send(bytes, bytes.count, CInt(descriptors))
    }
}

/// Media whose reader misbehaves.
struct HostileMedia: OpenedMedia {
    let mode: String
    let info = MediaInfo(
        type: .hostile, codec: "hostile", size: PixelSize(width: 64, height: 64), frameCount: 8,
        duration: .seconds(1), loop: .video)

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        FrameIndex((0..<8).map { timing($0) })
    }

    func timing(_ index: Int) -> FrameTiming {
        FrameTiming(
            index: index, presentation: MediaTime(microseconds: Int64(index) * 125_000),
            duration: MediaTime(microseconds: 125_000), isKeyframe: true)
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        HostileReader(media: self)
    }
}

final class HostileReader: FrameReader {
    private let media: HostileMedia
    private var next = 0
    var warnings: [MediaWarning] {
        media.mode == "warn" ? [MediaWarning(.note, "\(next) frames are doubtful.")] : []
    }

    init(media: HostileMedia) { self.media = media }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        guard next < 8 else { return nil }
        defer { next += 1 }
        if next == 3 {
            switch media.mode {
            case "crash": raise(SIGSEGV)
            case "silent": while true { sleep(1000) }
            case "backwards": next = 0
            default: break
            }
        }
        guard isWanted(media.timing(next)) else { return (media.timing(next), nil) }
        let color = UInt8(next * 16)
        let bitmap = try Bitmap(size: media.info.size, isOpaque: true) { rows in
            rows.initializeMemory(as: UInt8.self, repeating: color)
        }
        if media.mode == "scribble" { scribble(bitmap) }
        return (media.timing(next), Frame(bitmap: bitmap, timing: media.timing(next)))
    }

    private final class Kept {
        let bitmap: Bitmap
        init(_ bitmap: Bitmap) { self.bitmap = bitmap }
    }

    /// Goes on writing into pixels that are handed out.
    private func scribble(_ bitmap: Bitmap) {
        // Its memory is not that of another, later.
        _ = Unmanaged.passRetained(Kept(bitmap))
        let address = bitmap.withBytes { UInt(bitPattern: $0.baseAddress) }
        let count = bitmap.byteCount
        var thread = pthread_t()
        let place = UnsafeMutablePointer<UInt>.allocate(capacity: 2)
        (place[0], place[1]) = (address, UInt(count))
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let place = context.assumingMemoryBound(to: UInt.self)
                var value: CInt = 0
                while let pixels = UnsafeMutableRawPointer(bitPattern: place[0]) {
                    memset(pixels, value, Int(place[1]))
                    value &+= 1
                }
                return nil
            }, place)
    }

    func seek(toIndex index: Int) throws(MediaError) { next = max(0, index) }
    func seek(toTime time: Duration) throws(MediaError) { next = 0 }
}

extension MediaType {
    static let hostile = MediaType(
        name: "hostile", mimeType: "application/x-hostile", family: .animation)
}

/// The real decoder, which is beside this program.
var ownPath = [CChar](repeating: 0, count: 4096)
let ownLength = max(0, readlink("/proc/self/exe", &ownPath, ownPath.count - 1))
let ownName = String(
    decoding: ownPath.prefix(ownLength).map { UInt8(bitPattern: $0) }, as: UTF8.self)
hostile_restrict(
    ownName.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/lazyimg-decoder")
hostile_note_memory()
DecoderProgram.run(
    formats: FormatRegistry([
        MediaFormat(
            name: "hostile", types: [.hostile],
            signatures: [], decoders: [HostileDecoder()])
    ]))
