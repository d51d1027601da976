package import LazyBase
internal import LazyEditing
internal import LazyLoading
package import LazyMedia
internal import LazyRenditions

extension MediaOpening {
    /// Opens what needs no request, or has begun to arrive.
    func openLocal(_ source: Source, _ call: Call) async throws(MediaError) -> Opened {
        switch source {
        case .list(let list): return try await open(list, call)
        case .opened(let frames): return Opened(frames)
        case .arriving(let response): return try await open(arriving: response, call)
        case .path, .file, .bytes, .descriptor, .request: break
        }
        let limits = call.trust.limits(isFile: source.isFile)
        if call.wanted.use.isPartial, call.wanted.track == .main,
            let pipe = try await blocking({ () throws(MediaError) in try source.pipe() })
        {
            let received = StreamedBytes.begin(unending: pipe, limits: limits, on: .pipes)
            return try await open(received: received, of: source, nil, call)
        }
        let bytes = try await blocking { () throws(MediaError) in try source.bytes(limits) }
        return try await open(bytes, of: source, call)
    }

    /// Opens bytes that are there: a playlist as its stream, the others by their decoder.
    func open(
        _ bytes: any ByteSource, of source: Source, _ call: Call
    ) async throws(MediaError) -> Opened {
        let opened = try await blocking { [self] () throws(MediaError) -> Opened? in
            if call.wanted.use != .bytes, try StreamKind(bytes) != nil { return nil }
            var opened = Opened(
                try sequence(bytes, isFile: source.isFile, call), byteCount: bytes.count)
            try select(of: &opened, isFile: source.isFile, call)
            opened.bytes = call.wanted.use == .bytes ? bytes : nil
            return opened
        }
        if let opened { return opened }
        return try await openStream(bytes, of: source, call)
    }

    /// Runs work that reads files where the configuration says.
    func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws(MediaError) -> Value
    ) async throws(MediaError) -> Value {
        guard let pool = configuration.pool else { return try work() }
        return try await pool.run(work)
    }

    /// Opens bytes with the limits and the decoders of the trust.
    func sequence(
        _ bytes: any ByteSource, isFile: Bool, _ call: Call, limits: DecodingLimits? = nil
    ) throws(MediaError) -> FrameSequence {
        try sequence(
            bytes, limits ?? call.trust.limits(isFile: isFile),
            decoders(for: call.trust, isFile: isFile).registry, call)
    }

    private func sequence(
        _ bytes: any ByteSource, _ limits: DecodingLimits, _ decoders: DecoderRegistry,
        _ call: Call
    ) throws(MediaError) -> FrameSequence {
        call.events.willDecode(try configuration.formats.sniffer.type(of: bytes))
        return FrameSequence(
            try decoders.open(bytes, limits: limits, cancellation: call.flag), limits: limits)
    }

    /// Opens the wanted track in place of the main one; blocks while its header is read.
    func select(of opened: inout Opened, isFile: Bool, _ call: Call) throws(MediaError) {
        let track = call.wanted.track
        guard track != .main else { return }
        if track == .motion, let film = opened.frames.info.motion {
            call.events.willDecode(film.type)
            opened.byteCount = film.range.count
        }
        opened.frames = try opened.frames.track(
            track, openedBy: decoders(for: call.trust, isFile: isFile).registry,
            cancellation: call.flag)
    }

    /// Opens a file where and within the limits that inputs are, such as one that is drawn over others.
    ///
    /// Blocks.
    package func openFile(
        _ bytes: any ByteSource, isFile: Bool, trust: Trust, events: Events,
        cancellation: CancellationFlag
    ) throws(MediaError) -> FrameSequence {
        try sequence(
            bytes, isFile: isFile,
            Call(wanted: Wanted(.all), trust: trust, events: events, flag: cancellation))
    }

    // MARK: - Lists

    private func open(_ list: List, _ call: Call) async throws(MediaError) -> Opened {
        let decoders = decoders(for: call.trust, isFile: true).forOneList()
        var parts: [JoinedPart] = []
        for part in list.parts {
            parts.append(try await joined(part, decoders, call))
        }
        let first = list.parts.first?.source
        var limits = call.trust.limits(isFile: first?.isFile ?? false)
        if case .opened(let frames)? = first { limits = frames.limits }
        return try await blocking { [parts, limits] () throws(MediaError) in
            let joined = try JoinedMedia(
                parts, loop: list.loop, warnings: list.warnings, limits: limits,
                cancellation: call.flag)
            return Opened(FrameSequence(joined, limits: limits))
        }
    }

    private func joined(
        _ part: List.Part, _ decoders: DecoderRegistry, _ call: Call
    ) async throws(MediaError) -> JoinedPart {
        guard part.source.isFile, call.wanted.track == .main else {
            var own = call
            own.wanted.use = .all
            do throws(PipelineError) {
                let opened = try await open(part.source, own)
                return JoinedPart(part.name, duration: part.duration, opened.frames)
            } catch {
                throw error.asMediaError
            }
        }
        let limits = call.trust.limits(isFile: true)
        return JoinedPart(part.name, duration: part.duration) { [self] () throws(MediaError) in
            try sequence(try part.source.bytes(limits), limits, decoders, call)
        }
    }
}

extension PipelineError {
    /// The error as one of media: of a part as one of the whole, of a file that is opened.
    package var asMediaError: MediaError {
        switch self {
        case .decodingFailed(let error, _): error
        case .cancelled: .cancelled
        case .dataLoadingFailed(let error): error.asMediaError
        default: MediaError(.environment, description, underlying: self)
        }
    }
}
