internal import FoundationEssentials
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
            opened = try await openLocal(reading, part)
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
    private func openLocal(
        _ reading: Reading, _ part: InputPart
    ) async throws(CommandFailure) -> OpenedInput {
        let (limits, decoders) = (reading.limits(for: self), reading.decoders(for: self))
        if address == .standardInput, isatty(STDIN_FILENO) == 1 {
            throw .usage(
                "Standard input is a terminal.", hint: "Pipe media to it: cat FILE | lazyimg …")
        }
        do {
            let bytes: any ByteSource
            if part != .all, reading.track == .main, let pipe = try openPipe() {
                let arriving = Arriving(
                    pipe, nil, .init(part, reading.poster), limits, decoders, on: .pipes)
                switch try await arriving.open(self) {
                case .opened(let opened): return opened
                case .whole(let blob): bytes = try Self.bytes(blob)
                case .other: bytes = try Self.bytes(try await arriving.whole(self))
                }
            } else {
                bytes = try self.bytes(limits)
            }
            if let kind = try StreamKind(bytes) {
                return try await openStream(kind, bytes, reading)
            }
            var opened = OpenedInput(
                sequence: try Self.sequence(bytes, limits, decoders), transfer: nil,
                localByteCount: bytes.count)
            try opened.select(reading.track, decoders)
            return opened
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw failure(error as? MediaError ?? .cancelled)
        }
    }

    /// What arrives by a pipe; nil for what has a length.
    private func openPipe() throws(MediaError) -> LoadResponse? {
        var status = stat()
        let body: LoadBody
        switch address {
        case .standardInput:
            guard fstat(STDIN_FILENO, &status) == 0,
                [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
            else { return nil }
            body = LoadBody(reading: STDIN_FILENO)
        case .path(let path):
            guard stat(path.systemPath, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
                return nil
            }
            let descriptor = Glibc.open(path.systemPath, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw SystemError.last.mediaError("open", path) }
            body = LoadBody(reading: descriptor, closes: true)
        case .data, .remote: return nil
        }
        let head = ResponseHead(url: Self.nowhere, origin: .local)
        return LoadResponse(head: head, body: body)
    }

    private static func bytes(_ blob: Blob) throws(MediaError) -> any ByteSource {
        if let bytes = blob.bytesInMemory { return try MemoryBytes(bytes) }
        return BlobBytes(blob)
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
