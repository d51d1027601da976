import Glibc
import LazyBase
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

    /// The error of work that waits for a decoder; for `async let`, so that it has a thread of its own.
    static func error(of work: () throws -> Void) -> (any Error)? {
        do {
            try work()
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
        path = scratch.program(text, "silent")
    }

    /// The file that it writes when it has started.
    var mark: String { scratch.path("process") }

    /// The process that was started last.
    var process: pid_t? {
        pid_t(String(decoding: scratch["process"].prefix { $0 != 10 }, as: UTF8.self))
    }
}

extension Scratch {
    /// A script that can be run at once.
    ///
    /// A program that another thread starts then may have the open file for an instant, and no file is run that
    /// somebody can write (`ETXTBSY`). A lease is only given for a file that nobody can write.
    func program(_ text: String, _ name: String) -> String {
        let path = write(Array(text.utf8), name)
        chmod(path, 0o700)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        // F_SETLEASE (fcntl(2)), which Swift does not see.
        while fcntl(file, 1024, F_RDLCK) != 0, errno == EAGAIN { usleep(1000) }
        return path
    }
}

extension DecoderHost {
    /// Waits until a decoder is started; false if there is none after ten seconds.
    func startsDecoder() async throws -> Bool {
        for _ in 0..<10_000 where liveDecoders == 0 { try await Task.sleep(for: .milliseconds(1)) }
        return liveDecoders > 0
    }
}
