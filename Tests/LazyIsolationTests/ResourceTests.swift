import Glibc
import LazyBytes
import LazyIsolation
import LazyKit
import LazyMedia
import Support
import Testing

/// What decoders need of the machine, and what becomes of those that do not get it.
@Suite(.enabled(if: !Sanitizer.isLinked))
struct ResourceTests {
    private static func frames(_ name: String, _ registry: DecoderRegistry) throws -> [Frame] {
        let reader = try registry.open(FileBytes(path: Media.path(name)), limits: .local)
            .makeReader(ReaderOptions(limits: .local))
        var frames: [Frame] = []
        while frames.count < 5, let frame = try reader.nextFrame() { frames.append(frame) }
        return frames
    }

    @Test(arguments: ["clip.mp4", "counter.gif", "animation.webp", "still.jpg", "vp9.webm"])
    func `Less and less memory gives the same frames or an error`(_ name: String) throws {
        guard Media.names.contains(name) else { return }
        let expected = try Self.frames(name, .standard)
        var isDecoded: [Bool] = []
        for megabytes in [512, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 4, 1] {
            let program = WatchedProgram("ulimit -d \(megabytes << 10)")
            let host = DecoderHost(IsolationPolicy(program: program.path))
            do {
                let frames = try Self.frames(name, .standard.isolated(by: host))
                #expect(frames.count == expected.count)
                for (one, other) in zip(frames, expected) {
                    #expect(one.bitmap == other.bitmap, "\(megabytes) MB, frame \(one.index)")
                }
                isDecoded.append(true)
            } catch let error as MediaError {
                let codes: [MediaError.Code] = [.limitExceeded, .decoderCrashed, .environment]
                #expect(codes.contains(error.code), "\(megabytes) MB: \(error)")
                isDecoded.append(false)
            }
        }
        #expect(isDecoded.first == true && isDecoded.last == false, "\(isDecoded)")
    }

    @Test
    func `Later forks take few pages`() throws {
        let program = WatchedProgram()
        let host = DecoderHost(IsolationPolicy(program: program.path))
        let registry = DecoderRegistry.standard.isolated(by: host)
        // The first ones load the libraries, and decode samples.
        for _ in 0..<5 { _ = try Self.frames("clip.mp4", registry) }
        usleep(300_000)
        let media = try registry.open(FileBytes(path: Media.path("clip.mp4")), limits: .local)
        let faults = try #require(program.newest?.pageFaults)
        // 400; without what makes the heap ready for forks, 820.
        #expect(faults > 0 && faults < 600, "\(faults) page faults")
        withExtendedLifetime(media) {}
    }
}

/// The decoders of this build behind a script that writes down their process.
private struct WatchedProgram {
    private let scratch = Scratch()
    let path: String

    /// Makes it; the command of the shell comes first.
    init(_ command: String = "true") {
        let text = """
            #!/bin/bash
            echo $$ >'\(scratch.path("process"))'
            \(command)
            exec -a lazyimg-decoder '\(Hosts.folder)/lazyimg-decoder' "$@"

            """
        path = scratch.program(text, "watched")
    }

    /// The process that was started last, among the one of the script and all that it forked.
    var newest: WatchedProcess? {
        guard
            let first = pid_t(
                String(decoding: scratch["process"].prefix { $0 != 10 }, as: UTF8.self))
        else { return nil }
        var family = [first]
        let all = WatchedProcess.all
        var last: WatchedProcess?
        for process in all where family.contains(process.parent) {
            family.append(process.id)
            last = process
        }
        return last
    }
}

/// A process, as `/proc/PID/stat` tells (proc(5)).
private struct WatchedProcess {
    let id: pid_t
    let parent: pid_t
    let pageFaults: Int

    private init?(_ text: String) {
        guard let end = text.lastIndex(of: ")"), let start = text.firstIndex(of: " "),
            let id = pid_t(text[..<start])
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 7, let parent = pid_t(fields[1]), let faults = Int(fields[7]) else {
            return nil
        }
        (self.id, self.parent, pageFaults) = (id, parent, faults)
    }

    /// All of them, by ID.
    static var all: [WatchedProcess] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var result: [WatchedProcess] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard pid_t(name) != nil, let process = WatchedProcess(text(of: "/proc/\(name)/stat"))
            else { continue }
            result.append(process)
        }
        return result.sorted { $0.id < $1.id }
    }

    private static func text(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, 1024))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
