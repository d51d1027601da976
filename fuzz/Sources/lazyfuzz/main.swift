import CFuzzer
import Glibc
@_spi(Testing) import LazyBytes
import LazyKit

// usage: lazyfuzz sniff|gif|png|apng|jpeg|webp|avif|jxl|heic|tiff|video [options of libFuzzer] CORPUS…

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

var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>> = .allocate(
    capacity: Int(count) + 1)
for i in 0..<Int(count) {
    let from = i == 0 ? 0 : i + 1
    guard let argument = CommandLine.unsafeArgv[from] else { exit(64) }
    arguments[i] = argument
}
switch CommandLine.arguments.dropFirst().first {
case "sniff":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: nil)
            return 0
        })
case "gif":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .gif)
            return 0
        })
case "png":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .png)
            return 0
        })
case "apng":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .apng)
            return 0
        })
case "avif":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .avifSequence)
            return 0
        })
case "bmp":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .bmp)
            return 0
        })
case "ico":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .ico)
            return 0
        })
case "tiff":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .tiff)
            return 0
        })
case "heic":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .heic)
            return 0
        })
case "jxl":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .jpegXLAnimation)
            return 0
        })
case "jpeg":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .jpeg)
            return 0
        })
case "webp":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .webpAnimation)
            return 0
        })
case "video":
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            attempt(data, size, as: .mp4)
            return 0
        })
default:
    print(
        "usage: lazyfuzz sniff|gif|png|apng|jpeg|webp|avif|jxl|heic|tiff|video [options of libFuzzer] CORPUS…"
    )
    exit(64)
}
