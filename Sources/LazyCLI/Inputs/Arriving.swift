internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

/// An input whose length is unknown: a response without one, a pipe.
struct Arriving {
    private let bytes: StreamedBytes
    private let origin: String?
    private let opening: ArrivingOpening
    private let limits: DecodingLimits

    /// Begins to receive; `origin` is that of a transfer, `pool` what receives a pipe.
    init(
        _ response: LoadResponse, _ origin: String?, _ use: ArrivingOpening.Use,
        _ limits: DecodingLimits, _ decoders: DecoderRegistry, on pool: BlockingPool?
    ) {
        bytes = StreamedBytes.begin(unending: response, limits: limits, on: pool)
        self.origin = origin
        self.limits = limits
        opening = ArrivingOpening(
            for: use, decoders: decoders, limits: limits, flag: Interruption.flag)
    }

    /// What there is of it.
    enum Arrived {
        /// The media of what has arrived.
        case opened(OpenedInput)
        /// All bytes: it has ended.
        case whole(Blob)
        /// It cannot be played before its end.
        case other
    }

    /// Opens what there is of it, or waits for its end.
    func open(_ input: Input) async throws(CommandFailure) -> Arrived {
        let (bytes, opening, limits) = (bytes, opening, limits)
        typealias Found = (ArrivingOpening.Opened, FrameSequence?)
        let found = try await opened(input) { () throws(MediaError) -> Found in
            let opened = try opening.open(bytes)
            let media: any OpenedMedia
            switch opened {
            case .whole, .other: return (opened, nil)
            case .part(let part, let type):
                OutputStream.silenceStderr(reading: type)
                media = try opening.media(part, type)
            case .playing(let type):
                OutputStream.silenceStderr(reading: type)
                media = try opening.media(bytes, type)
            }
            return (opened, FrameSequence(media, limits: limits))
        }
        switch found {
        case (.whole(let blob), _): return .whole(blob)
        case (_, let sequence?):
            let transfer = origin.map {
                Transfer(origin: $0, total: nil, bytesRead: { bytes.received })
            }
            return .opened(
                OpenedInput(sequence: sequence, transfer: transfer, isUnending: true))
        case (_, nil): return .other
        }
    }

    /// Waits for its end.
    func whole(_ input: Input) async throws(CommandFailure) -> Blob {
        let bytes = bytes
        return try await opened(input) { () throws(MediaError) in
            var count = 0
            while true {
                let (received, isEnded) = try bytes.wait(beyond: count, for: .seconds(1))
                if isEnded { return bytes.present }
                count = received
            }
        }
    }

    // Cancellation also ends work that waits for bytes.
    private func opened<Value: Sendable>(
        _ input: Input, _ work: @escaping @Sendable () throws(MediaError) -> Value
    ) async throws(CommandFailure) -> Value {
        let bytes = bytes
        let result = await withTaskCancellationHandler {
            await BlockingPool.shared.run { Result { () throws(MediaError) in try work() } }
        } onCancel: {
            bytes.cancelReads()
        }
        do throws(MediaError) { return try result.get() } catch { throw input.failure(error) }
    }
}

extension ArrivingOpening.Use {
    /// What a part of an input is opened for.
    init(_ part: InputPart, _ poster: PosterChoice?) {
        switch part {
        case .all, .frames, .playing: self = .playing
        case .glance: self = poster.map { .poster($0) } ?? .facts
        }
    }
}
