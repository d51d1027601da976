import CFuzzer
import FoundationEssentials
import Glibc
@_spi(Testing) import LazyBase
@_spi(Testing) import LazyIsolation
import LazyKit
@_spi(Testing) import LazyLoading
import LazyMedia

// usage: lazyfuzz TARGET [options of libFuzzer] CORPUS…

/// Small enough that one input costs little, large enough to pass every branch.
let limits = DecodingLimits(
    pixelsPerFrame: 1 << 20, memory: 1 << 26, frames: 64, totalPixels: 1 << 24,
    inputBytes: 1 << 20, tracks: 100, openTime: .seconds(10), decodeTime: .seconds(10))

/// Reads everything there is to read; errors are fine, traps and bad memory are not.
func read(_ bytes: MemoryBytes, as type: MediaType) throws(MediaError) {
    guard let decoder = DecoderRegistry.standard.decoder(for: type) else { return }
    let media = try decoder.open(bytes, type: type, limits: limits)
    let options = ReaderOptions(limits: limits)
    let reader = try media.makeReader(options)
    var frames = 0
    var last: Bitmap?
    while frames < 64, let frame = try reader.nextFrame() {
        precondition(frame.index == frames, "frames come in order")
        precondition(frame.bitmap.size == media.info.size, "frames are as large as promised")
        frames += 1
        last = frame.bitmap
    }
    let index = try media.frameIndex(CancellationFlag())
    precondition(index.timings.enumerated().allSatisfy { $0 == $1.index }, "timings are in order")
    guard frames > 0 else { return }
    try reader.seek(toIndex: frames - 1)
    let again = try reader.nextFrame()
    precondition(again.map { $0.index == frames - 1 } ?? true, "a seek gives what was asked for")
    if type == .gif || type == .webpAnimation, let again {
        precondition(again.bitmap == last, "a seek gives the same pixels")
    }
    let small = ReaderOptions(size: PixelSize(width: 16, height: 9), limits: limits)
    _ = try media.makeReader(small).nextFrame()
    var kept = ReaderOptions(limits: limits)
    (kept.color, kept.samples) = (.source, .sixteen)
    if let frame = try media.makeReader(kept).nextFrame(), let deep = frame.deep {
        precondition(deep.size == frame.bitmap.size, "both pictures of a frame have one size")
        precondition(!deep.isOpaque || deep[0, 0].w == 65535, "opaque pictures are opaque")
    }
    _ = try media.embeddedPoster(options)
    // libFuzzer reports a trap as a finding.
    guard openHandleCount < 64 else { fatalError("handles are left open") }
}

/// Changes loop and delays where the format has them; what could be opened before still can, with
/// as many frames.
func rewrite(_ bytes: MemoryBytes, as type: MediaType) throws(MediaError) {
    guard let rewriter = type.rewriter, let decoder = DecoderRegistry.standard.decoder(for: type)
    else { return }
    let change = TimingChange(plays: .times(3), delays: .speed(1.5))
    var written: [UInt8] = []
    try rewriter.rewrite(bytes, change, limits: limits) { written += $0 }
    guard let before = try? decoder.open(bytes, type: type, limits: limits) else { return }
    let after = try? decoder.open(MemoryBytes(written), type: type, limits: .local)
    precondition(
        after?.info.frameCount == before.info.frameCount, "a rewritten file has the same frames")
}

func attempt(_ data: UnsafePointer<UInt8>, _ count: Int, as type: MediaType?) {
    do throws(MediaError) {
        let bytes = try MemoryBytes(UnsafeBufferPointer(start: data, count: count))
        let sniffed = try MediaType.sniffing(bytes)
        if let type {
            try read(bytes, as: type == .mp4 && sniffed.family == .video ? sniffed : type)
            try rewrite(bytes, as: type)
        }
    } catch {
        precondition(!error.message.isEmpty, "an error says what went wrong")
    }
}

/// The smallest JPEGs of three components, one and four, 8 x 8 pixels.
let carriers = [
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERX"
        + "RTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj"
        + "Y2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAIAAgDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAA"
        + "Af/EABsQAAEEAwAAAAAAAAAAAAAAABEABQYTIjGB/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EAB8RAAADCQAAAAAA"
        + "AAAAAAAAAAQRoQADBRIUIWGx0f/aAAwDAQACEQMRAD8AG2P1DA80j4ZR5NOmmkNHzFdv/9k=",
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERX"
        + "RTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAf/EABsQAAEE"
        + "AwAAAAAAAAAAAAAAABEABQYTIjGB/9oACAEBAAA/ABtj9QwPNL//2Q==",
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3"
        + "OFBtUVdfYmdoZz5NcXlwZHhcZWdj/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAEH"
        + "/8QAIRAAAAMIAwAAAAAAAAAAAAAAABESBhMUFjZjgZFDgqH/2gAOBEMATQBZAEsAAD8AGD48Aki14ClLrzrDltSj"
        + "wWqAP//Z",
].map { Data(base64Encoded: $0).map(Array.init) ?? [] }

/// Reads a JPEG of one of three color spaces whose ICC profile are the bytes after the first.
func attemptProfile(_ data: UnsafePointer<UInt8>, _ count: Int) {
    guard count > 1, count < 65_000 else { return }
    let bytes = UnsafeBufferPointer(start: data, count: count)
    let carrier = carriers[Int(bytes[0]) % carriers.count]
    let segment = Array("ICC_PROFILE\0".utf8) + [1, 1] + bytes.dropFirst()
    let size = segment.count + 2
    let jpeg =
        carrier.prefix(2) + [0xFF, 0xE2, UInt8(size >> 8), UInt8(size & 255)] + segment
        + carrier.dropFirst(2)
    jpeg.withUnsafeBufferPointer {
        guard let start = $0.baseAddress else { return }
        attempt(start, $0.count, as: .jpeg)
    }
}

let types: [String: MediaType] = [
    "gif": .gif, "png": .png, "apng": .apng, "avif": .avifSequence, "bmp": .bmp, "ico": .ico,
    "tiff": .tiff, "heic": .heic, "jxl": .jpegXLAnimation, "jpeg": .jpeg, "webp": .webpAnimation,
    "video": .mp4,
]
let target = CommandLine.arguments.dropFirst().first ?? ""
let type = types[target]
let players = ["answers": MessagePlayer.sampleAnswers, "requests": MessagePlayer.sampleRequests]
if let sample = players[target], CommandLine.arguments.last == "--sample" {
    _ = sample.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    exit(0)
}

/// The media of the decoder that gets requests: a GIF of 6 frames.
let playedMedia =
    (try? FileBytes(path: "media/disposal-mixed.gif").contiguous().withBytes { Array($0) }) ?? []

/// Plays messages of one side of isolated decoding to the other.
func attemptMessages(_ data: UnsafePointer<UInt8>, _ count: Int) {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    if target == "answers" {
        MessagePlayer.play(answers: bytes)
    } else {
        MessagePlayer.play(
            requests: bytes, media: playedMedia, type: .gif, formats: .standard)
    }
}

/// Reads a playlist or a manifest, and makes all addresses that a stream may ask for.
func attemptPlaylist(_ data: UnsafePointer<UInt8>, _ count: Int) {
    PlaylistPlayer.play(Array(UnsafeBufferPointer(start: data, count: count)), memory: 1 << 26)
}

let others: Set = ["sniff", "icc", "playlist"]
guard type != nil || players[target] != nil || others.contains(target) else {
    print("usage: lazyfuzz TARGET [options of libFuzzer] CORPUS…")
    print(
        "targets: sniff, icc, playlist, answers, requests, "
            + types.keys.sorted().joined(separator: ", "))
    exit(64)
}

var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>> = .allocate(
    capacity: Int(count) + 1)
for i in 0..<Int(count) {
    let from = i == 0 ? 0 : i + 1
    guard let argument = CommandLine.unsafeArgv[from] else { exit(64) }
    arguments[i] = argument
}
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { data, size in
        if target == "icc" {
            attemptProfile(data, size)
        } else if target == "playlist" {
            attemptPlaylist(data, size)
        } else if players[target] != nil {
            attemptMessages(data, size)
        } else {
            attempt(data, size, as: type)
        }
        return 0
    })
