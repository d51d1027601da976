internal import FoundationEssentials
import Glibc
internal import LazyBase
internal import LazyKit
internal import LazyMedia
internal import LazyPipeline

extension Input {
    /// Opens the media, after a download if necessary; `part` is what will be used.
    ///
    /// A signal cancels a download, whose loaded part stays in the cache. `didArrive` is called with parts that
    /// can be played before it is complete.
    func open(
        _ reading: Reading, part: InputPart = .all, size: TargetSize? = nil,
        didArrive: (@Sendable (FrameSequence) -> Void)? = nil
    ) async throws(CommandFailure) -> OpenedInput {
        try await open(reading, for: reading.wanted(part, size), didArrive: didArrive)
    }

    /// The same for what is wanted.
    func open(
        _ reading: Reading, for wanted: MediaOpening.Wanted,
        didArrive: (@Sendable (FrameSequence) -> Void)? = nil
    ) async throws(CommandFailure) -> OpenedInput {
        let source = try await source(reading, wanted.use)
        guard case .request = source else {
            return try await open(source, reading, wanted, .silent)
        }
        let bar = ProgressBar(
            address.fileName, .bytes, total: nil, isQuiet: reading.network.isQuiet)
        defer { bar?.finish() }
        var events = MediaOpening.Events.silent
        events.progress = { bar?.set(done: $0, total: $1) }
        if let didArrive {
            events.arrived = { part in
                // The player uses the whole terminal.
                bar?.finish()
                didArrive(part)
            }
        }
        await reading.network.askSystem()
        return try await Interruption.cancelling { [events] () throws(CommandFailure) in
            try await open(source, reading, wanted, events)
        }
    }

    private func open(
        _ source: MediaOpening.Source, _ reading: Reading, _ asked: MediaOpening.Wanted,
        _ events: MediaOpening.Events
    ) async throws(CommandFailure) -> OpenedInput {
        var wanted = asked
        // A list has no tracks but those of its parts.
        if case .list = source { wanted.track = .main }
        do throws(PipelineError) {
            var opened = try await reading.network.opening.open(
                source, for: wanted, trust: reading.trust, events: events,
                cancellation: Interruption.flag)
            opened.frames = opened.frames.rendered(
                color: reading.color, samples: reading.pixels.samples,
                deinterlaces: reading.deinterlaces)
            return opened
        } catch {
            if case .cancelled = error { throw failure(MediaError.cancelled) }
            throw CommandFailure(error, about: label)
        }
    }

    /// What is opened for this input.
    private func source(
        _ reading: Reading, _ part: InputPart
    ) async throws(CommandFailure) -> MediaOpening.Source {
        if !parts.isEmpty { return .list(try await joined(reading)) }
        if case .remote(let url) = address {
            return .request(reading.network.settings.imageRequest(url))
        }
        if part != .bytes, let list = try list(reading) { return .list(list) }
        if !reading.pictures.delays.isEmpty {
            throw .usage("--delay is the time of several pictures, and \(label) is one input.")
        }
        if address == .standardInput, isatty(STDIN_FILENO) == 1 {
            throw .usage(
                "Standard input is a terminal.", hint: "Pipe media to it: cat FILE | lazyimg …")
        }
        do throws(MediaError) { return try localSource() } catch { throw failure(error) }
    }

    private func localSource() throws(MediaError) -> MediaOpening.Source {
        switch address {
        case .standardInput: .descriptor(STDIN_FILENO)
        case .data(let bytes): .bytes(try MemoryBytes(bytes))
        case .path(let path): .path(path)
        case .remote: throw MediaError(.unsupported, "A URL cannot be opened as a file.")
        }
    }

    /// The encoded bytes of a local input; standard input and pipes are read to their end.
    func bytes(_ limits: DecodingLimits) throws(MediaError) -> any ByteSource {
        try localSource().bytes(limits)
    }

    /// Opens a file that belongs to others, such as a watermark, where and within the limits that inputs are.
    func sequence(_ choice: LimitsChoice) throws(MediaError) -> FrameSequence {
        try sequence(try bytes(choice.limits(isLocal: isFile)), choice.trust)
    }

    /// Opens bytes where and within the limits that this input is.
    func sequence(
        _ bytes: any ByteSource, _ trust: MediaOpening.Trust
    ) throws(MediaError) -> FrameSequence {
        try MediaOpening.standard.openFile(
            bytes, isFile: isFile, trust: trust, events: .silent, cancellation: Interruption.flag)
    }
}

extension MediaOpening.Events {
    /// Nothing is told, and libraries print no messages on standard error.
    static let silent = Self(willDecode: { OutputStream.silenceStderr(reading: $0) })
}
