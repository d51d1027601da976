internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyRenditions

extension MediaOpening {
    /// Opens a body that somebody else has begun to receive.
    func open(arriving response: LoadResponse, _ call: Call) async throws(MediaError) -> Opened {
        let limits = call.trust.limits(isFile: false)
        let transfer: @Sendable (StreamedBytes) -> Transfer = { bytes in
            Transfer(
                response.head.origin.rawValue, total: response.head.expectedCount,
                head: response.head,
                received: { bytes.received })
        }
        let progress = call.events.progress
        if let count = response.head.expectedCount,
            let bytes = StreamedBytes.begin(response, didArrive: { progress($0, count) })
        {
            return try await open(bytes, transfer(bytes), call)
        }
        let bytes = StreamedBytes.begin(
            unending: response, limits: limits, didArrive: { progress($0, nil) })
        return try await open(received: bytes, of: .arriving(response), transfer(bytes), call)
    }

    /// Opens bytes that arrive while they are read, with the wanted track.
    func open(
        _ bytes: any ByteSource, _ transfer: Transfer, limits: DecodingLimits? = nil, _ call: Call
    ) async throws(MediaError) -> Opened {
        try await reading(bytes, call) { [self] () throws(MediaError) in
            var opened = Opened(
                try sequence(bytes, isFile: false, call, limits: limits), transfer)
            try select(of: &opened, isFile: false, call)
            opened.bytes = call.wanted.use == .bytes ? bytes : nil
            return opened
        }
    }

    /// Opens what there is of a body without a known length, or all of it once it has ended.
    func open(
        received bytes: StreamedBytes, of source: Source, _ transfer: Transfer?, _ call: Call
    ) async throws(MediaError) -> Opened {
        let isFile = source.isFile
        var whole: Blob?
        if call.wanted.use.isPartial, call.wanted.track == .main {
            let limits = call.trust.limits(isFile: isFile)
            switch try await beginning(of: bytes, transfer, limits: limits, isFile: isFile, call) {
            case .opened(let opened): return opened
            case .whole(let blob): whole = blob
            case .other: break
            }
        }
        let blob = if let whole { whole } else { try await self.whole(of: bytes, call) }
        let all: any ByteSource =
            if let held = blob.bytesInMemory { try MemoryBytes(held) } else { BlobBytes(blob) }
        var opened = try await open(all, of: source, call)
        opened.transfer = opened.transfer ?? transfer
        return opened
    }

    /// What there is of a body without a known length.
    enum Beginning: Sendable {
        /// The media of what has arrived.
        case opened(Opened)
        /// All bytes: it has ended.
        case whole(Blob)
        /// It cannot be played before its end.
        case other
    }

    /// Opens what there is of a body, or waits for its end.
    func beginning(
        of bytes: StreamedBytes, _ transfer: Transfer?, limits: DecodingLimits, isFile: Bool,
        _ call: Call
    ) async throws(MediaError) -> Beginning {
        let opening = ArrivingOpening(
            for: call.wanted.use.arriving,
            decoders: decoders(for: call.trust, isFile: isFile).registry, limits: limits,
            flag: call.flag)
        return try await reading(bytes, call) { () throws(MediaError) in
            let media: any OpenedMedia
            switch try opening.open(bytes) {
            case .whole(let blob): return .whole(blob)
            case .other: return .other
            case .part(let part, let type):
                call.events.willDecode(type)
                media = try opening.media(part, type)
            case .playing(let type):
                call.events.willDecode(type)
                media = try opening.media(bytes, type)
            }
            return .opened(
                Opened(FrameSequence(media, limits: limits), transfer, isUnending: true))
        }
    }

    private func whole(
        of bytes: StreamedBytes, _ call: Call
    ) async throws(MediaError) -> Blob {
        try await reading(bytes, call) { () throws(MediaError) in
            var count = 0
            while true {
                let (received, isEnded) = try bytes.wait(beyond: count, for: .seconds(1))
                if isEnded { return bytes.present }
                count = received
            }
        }
    }

    // Cancellation also ends work that waits for bytes.
    func reading<Value: Sendable>(
        _ bytes: any ByteSource, _ call: Call,
        _ work: @escaping @Sendable () throws(MediaError) -> Value
    ) async throws(MediaError) -> Value {
        let registration = call.flag.onCancel { bytes.cancelReads() }
        defer { call.flag.forget(registration) }
        return try await BlockingPool.shared.run(work)
    }
}
