import Glibc
import LazyIsolation
import LazyKit
import LazyMedia

// usage: isolation frames CLIP | posters CLIP | cancel CLIP | leaks CLIP COUNT | crowd CLIP COUNT
//
// Isolated decoding beside that in this process, in turn; medians.

if DecoderProgram.isRequested { DecoderProgram.run() }
DecoderHost.decodesItself()

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 2 else {
    print("usage: isolation frames|posters|cancel|leaks|crowd CLIP [COUNT]")
    exit(64)
}
let clip = words[1]
let count = words.count > 2 ? Int(words[2]) ?? 100 : 100
let host = DecoderHost()
let isolated = DecoderRegistry.standard.isolated(by: host)

func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return (ContinuousClock.now - start) / .milliseconds(1)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func text(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}

/// Reads all frames, each pixel once in 64.
func readAll(_ registry: DecoderRegistry, lends: Bool) throws -> Int {
    let media = try registry.open(FileBytes(path: clip), limits: .local)
    var options = ReaderOptions(limits: .local)
    options.lendsPixels = lends
    let reader = try media.makeReader(options)
    var frames = 0
    var sum: UInt64 = 0
    while let frame = try reader.nextFrame() {
        frames += 1
        frame.bitmap.withBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: 64) { sum &+= UInt64(bytes[offset]) }
        }
    }
    precondition(sum != 1)
    return frames
}

func poster(_ registry: DecoderRegistry) throws {
    let media = try registry.open(FileBytes(path: clip), limits: .local)
    let size = TargetSize(width: 320).scaledSize(of: media.info.size)
    let reader = try media.makeReader(
        ReaderOptions(size: size, limits: .local, isSingleFrame: true))
    let frame = try reader.nextFrame()
    precondition(frame != nil)
}

/// The descriptors, mappings and children of a process.
func holdings(_ process: String) -> String {
    func entries(_ path: String) -> Int {
        guard let folder = opendir(path) else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count - 2
    }
    var maps = 0
    var resident = 0
    if let file = fopen("/proc/\(process)/maps", "r") {
        var character = getc(file)
        while character != EOF {
            if character == 10 { maps += 1 }
            character = getc(file)
        }
        fclose(file)
    }
    if let file = fopen("/proc/\(process)/statm", "r") {
        var pages = [CChar](repeating: 0, count: 200)
        fgets(&pages, 200, file)
        fclose(file)
        let line = String(
            decoding: pages.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        resident = (Int(line.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4
    }
    return
        "\(entries("/proc/\(process)/fd")) descriptors, \(maps) mappings, \(resident) kB resident"
}

switch words[0] {
case "frames":
    var times: [[Double]] = [[], [], []]
    var frames = 0
    for _ in 0..<7 {
        times[0].append(try milliseconds { frames = try readAll(.standard, lends: false) })
        times[1].append(try milliseconds { _ = try readAll(isolated, lends: true) })
        times[2].append(try milliseconds { _ = try readAll(isolated, lends: false) })
    }
    let (here, lent, copied) = (median(times[0]), median(times[1]), median(times[2]))
    print(
        "\(frames) frames: in process \(text(here)) ms, lent \(text(lent)), copied \(text(copied))")
    print("speed: lent \(text(here / lent)) x, copied \(text(here / copied)) x in-process")
case "posters":
    let first = try milliseconds { try poster(isolated) }
    let firstHere = try milliseconds { try poster(.standard) }
    print("first: isolated \(text(first)) ms, then in process \(text(firstHere)) ms")
    usleep(300_000)
    var times: [[Double]] = [[], []]
    for _ in 0..<count {
        times[0].append(try milliseconds { try poster(.standard) })
        times[1].append(try milliseconds { try poster(isolated) })
    }
    print("warm: in process \(text(median(times[0]))) ms, isolated \(text(median(times[1])))")
    print(
        "least: in process \(text(times[0].min() ?? 0)) ms, isolated \(text(times[1].min() ?? 0))")
    print("ratio of medians \(text(median(times[1]) / median(times[0])))")
case "cancel":
    // One place: the next media gets it when the cancelled one has given it up.
    var policy = IsolationPolicy()
    policy.maximumProcesses = 1
    let one = DecoderRegistry.standard.isolated(by: DecoderHost(policy))
    var times: [Double] = []
    for round in 0..<count {
        let media = FrameSequence(try one.open(FileBytes(path: clip), limits: .local))
        let task = Task { for try await _ in media.frames(looping: .forever) {} }
        try await Task.sleep(for: .milliseconds(20 + round % 7))
        let start = ContinuousClock.now
        task.cancel()
        _ = await task.result
        times.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    times.sort()
    print(
        "cancelled after: median \(text(median(times))) ms, 99th percentile \(text(times[times.count * 99 / 100]))"
    )
case "leaks":
    for _ in 0..<50 { try poster(isolated) }
    let before = holdings("self")
    for _ in 0..<count { try poster(isolated) }
    print("before: \(before)")
    print("after \(count) media: \(holdings("self"))")
    print("decoders alive: \(host.liveDecoders)")
    var children = 0
    if let folder = opendir("/proc") {
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Int(name) != nil, let file = fopen("/proc/\(name)/stat", "r") else { continue }
            var line = [CChar](repeating: 0, count: 400)
            fgets(&line, 400, file)
            fclose(file)
            let text = String(
                decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.contains("(lazyimg-decoder)") else { continue }
            children += 1
            if text.contains(") Z ") { print("zombie: \(name)") }
            print("process \(name): \(holdings(name))")
        }
        closedir(folder)
    }
    print("processes: \(children)")
case "crowd":
    var policy = IsolationPolicy()
    policy.maximumProcesses = count
    let crowd = DecoderHost(policy)
    let registry = DecoderRegistry.standard.isolated(by: crowd)
    var readers: [any FrameReader] = []
    for _ in 0..<count {
        let media = try registry.open(FileBytes(path: clip), limits: .untrusted)
        let reader = try media.makeReader(ReaderOptions(limits: .untrusted))
        for _ in 0..<4 { _ = try reader.nextFrame() }
        readers.append(reader)
    }
    var anonymous = 0
    var processes = 0
    if let folder = opendir("/proc") {
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Int(name) != nil, let file = fopen("/proc/\(name)/status", "r") else { continue }
            var lines = ""
            var line = [CChar](repeating: 0, count: 400)
            while fgets(&line, 400, file) != nil {
                lines += String(
                    decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            fclose(file)
            guard lines.contains("Name:\tlazyimg-decoder"),
                let row = lines.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") })
            else { continue }
            processes += 1
            anonymous +=
                Int(row.split(separator: " ").dropLast().last?.split(separator: "\t").last ?? "0")
                ?? 0
        }
        closedir(folder)
    }
    print(
        "\(readers.count) readers, \(processes) processes, \(anonymous / 1024) MB of private memory"
    )
default:
    print("There is no benchmark \(words[0]).")
    exit(64)
}
