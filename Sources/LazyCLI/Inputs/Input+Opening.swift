import Glibc
internal import LazyBase
internal import LazyKit
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

extension Input {
    /// Opens the media, after a download if necessary; `part` is what will be used.
    ///
    /// `didArrive` is called with parts that can be played before a download is complete.
    func open(
        _ reading: Reading, part: InputPart = .all,
        didArrive: Network.ArrivalListener? = nil
    ) async throws(CommandFailure) -> OpenedInput {
        var opened: OpenedInput
        if !parts.isEmpty {
            opened = try await openJoined(reading)
        } else if case .remote(let url) = address {
            opened = try await reading.network.open(
                url, for: self, reading.limits(for: self), part, reading.track,
                for: reading, didArrive: didArrive)
        } else if let list = try openList(reading) {
            opened = list
        } else {
            if !reading.pictures.delays.isEmpty {
                throw .usage("--delay is the time of several pictures, and \(label) is one input.")
            }
            opened = try await openLocal(reading)
        }
        if reading.isSampling {
            do throws(MediaError) {
                opened.sequence = try await opened.sequence.samplingStreams(Interruption.flag)
            } catch {
                throw failure(error)
            }
        }
        opened.sequence = opened.sequence.rendered(
            color: reading.color, samples: reading.samples, deinterlaces: reading.deinterlaces)
        return opened
    }

    // Blocks while the header is read.
    private func openLocal(_ reading: Reading) async throws(CommandFailure) -> OpenedInput {
        let (limits, decoders) = (reading.limits(for: self), reading.decoders(for: self))
        if address == .standardInput, isatty(STDIN_FILENO) == 1 {
            throw .usage(
                "Standard input is a terminal.", hint: "Pipe media to it: cat FILE | lazyimg …")
        }
        do throws(MediaError) {
            let bytes = try bytes(limits)
            if let kind = try StreamKind(bytes) {
                return try await openStream(kind, bytes, reading)
            }
            var opened = OpenedInput(
                sequence: try Self.sequence(bytes, limits, decoders), transfer: nil,
                localByteCount: bytes.count)
            try opened.select(reading.track, decoders)
            return opened
        } catch {
            throw failure(error)
        }
    }

    /// The encoded bytes of a local input; standard input and pipes are read to their end.
    func bytes(_ limits: DecodingLimits) throws(MediaError) -> any ByteSource {
        switch address {
        case .standardInput: return try MemoryBytes(reading: STDIN_FILENO, limits: limits)
        case .data(let bytes): return try MemoryBytes(bytes)
        case .remote: throw MediaError(.unsupported, "A URL cannot be opened as a file.")
        case .path(let path):
            var status = stat()
            if FileKind(path) == .folder {
                if let error = FolderSearch.error(path) { throw error.mediaError("read", path) }
                throw MediaError(
                    .environment, "\(path) is a folder.", underlying: SystemError(code: EISDIR))
            }
            // A pipe, such as that of process substitution, has no size and cannot seek.
            guard stat(path.systemPath, &status) == 0,
                [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
            else { return try FileBytes(name: path.systemPath, label: path) }
            let descriptor = Glibc.open(path.systemPath, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw SystemError.last.mediaError("open", path) }
            defer { close(descriptor) }
            return try MemoryBytes(reading: descriptor, limits: limits)
        }
    }

    /// Opens a file that belongs to others, such as a watermark, where and within the limits that inputs are.
    func sequence(_ choice: LimitsChoice) throws(MediaError) -> FrameSequence {
        let limits = choice.limits(isLocal: isFile)
        return try Self.sequence(
            try bytes(limits), limits, .decoders(of: choice.host(isLocal: isFile)))
    }

    /// Opens bytes, without messages of libraries on standard error.
    static func sequence(
        _ bytes: any ByteSource, _ limits: DecodingLimits, _ decoders: DecoderRegistry
    ) throws(MediaError) -> FrameSequence {
        OutputStream.silenceStderr(reading: try MediaType.sniffing(bytes))
        return try FrameSequence(
            opening: bytes, limits: limits, registry: decoders, cancellation: Interruption.flag)
    }
}
