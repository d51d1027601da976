import Glibc
import LazyMedia
import LazyPipeline
import LazyRenditions
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyCLI

@Suite(.ownThreads) struct OutputTargetTests {
    private static let rules = OutputTarget.Rules(
        thing: "preview", formats: [.webp, .gif, .png, .jpg, .mp4], usual: .webp)

    private func input(_ text: String = "/tmp/in/clip.mov") throws -> Input {
        try #require(try Input.parse([text]).first)
    }

    private func failure(_ work: () throws -> Void) -> CommandFailure? {
        do { try work() } catch { return error as? CommandFailure }
        return nil
    }

    /// Writes pieces; `between` happens before the last one, which may be an error.
    private func write(
        _ pieces: [[UInt8]], to file: OutputTarget, _ policy: OverwritePolicy,
        between: @escaping @Sendable () -> Void = {}, failing: MediaError? = nil
    ) async throws(CommandFailure) {
        let input: Input
        do { input = try self.input() } catch { return }
        let sinks = OutputSinks(PartNames(file), policy)
        do throws(MediaError) {
            let sink = try sinks.open(.main, as: .gif)
            for piece in pieces {
                try piece.withUnsafeBytes { bytes in
                    Result { () throws(MediaError) in try sink.write(bytes) }
                }.get()
            }
            between()
            if let failing { throw failing }
        } catch {
            throw sinks.failure ?? input.failure(error)
        }
        try sinks.keep(policy)
    }

    private func failure(
        _ work: () async throws(CommandFailure) -> Void
    ) async -> CommandFailure? {
        do throws(CommandFailure) { try await work() } catch { return error }
        return nil
    }

    @Test(
        arguments: [
            (nil, nil, "/tmp/in/clip.webp", OutputFormat.webp),
            (nil, .gif, "/tmp/in/clip.gif", .gif),
            ("out.gif", nil, "out.gif", .gif),
            ("out.JPEG", nil, "out.JPEG", .jpg),
            ("out.dat", .mp4, "out.dat", .mp4),
            ("out", .png, "out", .png),
            ("/dev/null", nil, "/dev/null", .webp),
            ("/tmp", nil, "/tmp/clip.webp", .webp),
            ("/tmp/", .jpg, "/tmp/clip.jpg", .jpg),
            ("-", .gif, "-", .gif),
        ] as [(String?, OutputFormat?, String, OutputFormat)])
    func `destination and format follow from the options`(
        output: String?, format: OutputFormat?, label: String, settled: OutputFormat
    ) throws {
        if output == "-", OutputStream.standardOutput.isTerminal { return }
        let file = try OutputTarget(output, for: input(), format: format, Self.rules)
        #expect(file.label == label)
        #expect(file.format == settled)
    }

    @Test(
        arguments: [
            ("out.bmp", nil, "Files with the extension .bmp cannot be written."),
            ("out.webm", nil, "A preview cannot be written as .webm."),
            ("out", nil, "The name out has no extension of a format."),
            ("out.gif", .webm, "A preview cannot be written as webm."),
            ("", nil, "An output has an empty name."),
        ] as [(String, OutputFormat?, String)])
    func `unwritable formats are rejected with a reason`(
        output: String, format: OutputFormat?, message: String
    ) throws {
        let input = try input()
        let failure = failure {
            _ = try OutputTarget(output, for: input, format: format, Self.rules)
        }
        #expect(failure?.message == message)
        #expect(failure?.status == .usage)
        #expect(failure?.hint != nil)
    }

    @Test func `webp and avif are still or animated`() {
        #expect(OutputFormat("webp")?.type(isAnimation: true) == .webpAnimation)
        #expect(OutputFormat("webp")?.type(isAnimation: false) == .webp)
        #expect(OutputFormat("AVIF")?.type(isAnimation: true) == .avifSequence)
        #expect(OutputFormat("png")?.type(isAnimation: true) == .apng)
        #expect(OutputFormat("jpeg")?.type(isAnimation: true) == .jpeg)
        for format in OutputFormat.media {
            #expect(OutputFormat(format.rawValue) == format)
            #expect(format.type != nil)
        }
    }

    @Test func `the input is never the output, under any name`() throws {
        let scratch = Scratch()
        Tool.write([1, 2, 3], to: scratch.path("a.gif"))
        symlink(scratch.path("a.gif"), scratch.path("b.gif"))
        let input = try input(scratch.path("a.gif"))
        for name in ["a.gif", "b.gif", "../\(scratch.path.split(separator: "/").last ?? "")/a.gif"]
        {
            let failure = failure {
                _ = try OutputTarget(scratch.path(name), for: input, format: nil, Self.rules)
            }
            #expect(failure?.status == .usage)
        }
        #expect(
            failure { _ = try OutputTarget(nil, for: input, format: .gif, Self.rules) }?.status
                == .usage)
    }

    @Test func `bytes written in pieces appear complete`() async throws {
        let scratch = Scratch()
        let file = try OutputTarget(scratch.path("a.gif"), for: input(), format: nil, Self.rules)
        let path = scratch.path
        let names = Locked<[String]>([])
        try await write([[1, 2], [3]], to: file, .never) {
            names.withLock { $0 = Tool.names(in: path) }
        }
        #expect(names.withLock { $0 }.filter { !$0.hasPrefix(".") } == [])
        #expect(Tool.bytes(scratch.path("a.gif")) == [1, 2, 3])
        #expect(failure { try file.refuseExisting(.never) }?.status == .cannotCreate)
        #expect(failure { try file.refuseExisting(.always) } == nil)
    }

    @Test func `failed work leaves no file`() async throws {
        let scratch = Scratch()
        let file = try OutputTarget(scratch.path("a.gif"), for: input(), format: nil, Self.rules)
        let failure = await failure { () async throws(CommandFailure) in
            try await write(
                [[1, 2]], to: file, .always, failing: MediaError(.malformed, "Broken half-way."))
        }
        #expect(failure?.status == .badData)
        #expect(failure?.message == "Broken half-way.")
        #expect(scratch.names() == [])
    }

    @Test func `a full device is reported as such`() async throws {
        let file = try OutputTarget("/dev/full", for: input(), format: nil, Self.rules)
        let failure = await failure { () async throws(CommandFailure) in
            try await write([[1, 2]], to: file, .always)
        }
        #expect(failure?.status == .inputOutput)
        #expect(failure?.message.contains("/dev/full") == true)
        #expect(failure?.message.contains("No space left") == true)
    }

    @Test func `a file that appears during the work is not replaced`() async throws {
        let scratch = Scratch()
        let file = try OutputTarget(scratch.path("a.gif"), for: input(), format: nil, Self.rules)
        let path = scratch.path("a.gif")
        let failure = await failure { () async throws(CommandFailure) in
            try await write([[1, 2]], to: file, .never) { Tool.write([9], to: path) }
        }
        #expect(failure?.status == .cannotCreate)
        #expect(Tool.bytes(scratch.path("a.gif")) == [9])
        #expect(scratch.names() == ["a.gif"])
    }

    @Test func `held back output is written when it is kept`() throws {
        let scratch = Scratch()
        mkfifo(scratch.path("pipe"), 0o600)
        let reader = open(scratch.path("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let sink = try OutputFile(OutputTarget(path: scratch.path("pipe")), isHeldBack: true)
        try sink.write([1, 2, 3])
        var room = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &room, 8) < 0)
        try sink.keep(.never)
        #expect(read(reader, &room, 8) == 3)
    }
}

extension OutputFormat {
    fileprivate static let gif = OutputFormat(rawValue: "gif") ?? .png
    fileprivate static let webp = OutputFormat(rawValue: "webp") ?? .png
    fileprivate static let jpg = OutputFormat(rawValue: "jpg") ?? .png
    fileprivate static let mp4 = OutputFormat(rawValue: "mp4") ?? .png
    fileprivate static let webm = OutputFormat(rawValue: "webm") ?? .png
}
