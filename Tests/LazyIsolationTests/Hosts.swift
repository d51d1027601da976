import Glibc
import LazyBytes
import LazyIsolation
import LazyKit
import LazyMedia
import Support

/// Hosts whose programs are beside that of the tests.
enum Hosts {
    /// The folder of this process's program.
    static let folder: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = max(0, readlink("/proc/self/exe", &path, path.count - 1))
        let text = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }()

    /// The decoders of this build.
    static func standard(_ change: (inout IsolationPolicy) -> Void = { _ in }) -> DecoderHost {
        var policy = IsolationPolicy(program: folder + "/lazyimg-decoder")
        change(&policy)
        return DecoderHost(policy)
    }

    /// The decoder that misbehaves.
    static func hostile(_ change: (inout IsolationPolicy) -> Void = { _ in }) -> DecoderHost {
        var policy = IsolationPolicy(program: folder + "/HostileDecoder", answerTime: .seconds(2))
        change(&policy)
        return DecoderHost(policy)
    }

    static let hostileType = MediaType(
        name: "hostile", mimeType: "application/x-hostile", family: .animation)

    /// Opens media that tells the hostile decoder what to do.
    static func open(
        _ command: String, by host: DecoderHost, limits: DecodingLimits = DecodingLimits()
    ) throws(MediaError) -> FrameSequence {
        let registry = DecoderRegistry([AnyMedia()]).isolated(by: host)
        let bytes = try MemoryBytes(Array("HOSTILE \(command)".utf8))
        return FrameSequence(
            try registry.open(bytes, as: hostileType, limits: limits), limits: limits)
    }

    /// What opening it comes to.
    static func outcome(
        _ command: String, by host: DecoderHost = hostile(),
        limits: DecodingLimits = DecodingLimits()
    ) -> MediaError? {
        do throws(MediaError) {
            _ = try open(command, by: host, limits: limits)
            return nil
        } catch {
            return error
        }
    }
}

/// Stands for decoders that only the other program has.
struct AnyMedia: MediaDecoding {
    let name = "any"
    func canOpen(_ type: MediaType) -> Bool { true }
    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        throw MediaError(.unsupported, "Nothing is decoded in this process.")
    }
}

/// A program that neither answers nor ends, and writes down its process.
struct SilentProgram {
    private let scratch = Scratch()
    let path: String

    init() {
        let text = "#!/bin/sh\necho $$ >'\(scratch.path("process"))'\nexec /bin/sleep 1000\n"
        path = scratch.write(Array(text.utf8), "silent")
        chmod(path, 0o700)
    }

    /// The file that it writes when it has started.
    var mark: String { scratch.path("process") }

    /// The process that was started last.
    var process: pid_t? {
        pid_t(String(decoding: scratch["process"].prefix { $0 != 10 }, as: UTF8.self))
    }
}
