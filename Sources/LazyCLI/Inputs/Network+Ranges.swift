import FoundationEssentials
internal import LazyKit
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

extension Network {
    // Loads only the needed bytes if none are cached and the server supports ranges.
    func openRanges(
        _ url: URL, for input: Input, _ limits: DecodingLimits, _ part: InputPart,
        _ track: MediaTrack, _ poster: PosterChoice? = nil
    ) async throws(CommandFailure) -> OpenedInput? {
        let format = FormatRegistry.standard.format(named: input.address.fileExtension)
        guard settings.policy != .cacheOnly, settings.lowDataURL == nil,
            settings.alternatives.isEmpty,
            // The type of this extension is read completely, so one request is enough.
            track == .motion
                || format?.readsRanges != false
                || format?.types.contains(where: { $0.family == .video }) == true,
            settings.maximumBytes ?? .max >= RangeReader.firstCount,
            let opener = opener(limits, part, track)
        else { return nil }
        let opened: RemoteOpened
        var request = settings.request(url)
        // The limit applies to the bytes that are read, not to the total size.
        request.maximumBytes = nil
        do throws(LoadingError) {
            opened = try await opener.open(request)
        } catch {
            throw CommandFailure(error, about: input.label)
        }
        switch opened {
        case .ranges where part == .frames: return nil
        case .whole(let response) where response.head.isUnending && track == .main:
            var limits = limits
            limits.inputBytes = settings.maximumBytes ?? limits.inputBytes
            let use = ArrivingOpening.Use(part, poster)
            let arriving = Arriving(response, "network", use, limits, decoders, on: nil)
            switch try await arriving.open(input) {
            case .opened(let opened): return opened
            case .other: return nil
            case .whole(let blob):
                // A playlist is read by the pipeline.
                guard (try? StreamKind(BlobBytes(blob))) == nil else { return nil }
                let transfer = Transfer(
                    origin: "network", total: blob.count, bytesRead: { blob.count })
                return try await open(BlobBytes(blob), of: input, limits, .main, transfer)
            }
        case .ranges(let media):
            let bounded = settings.maximumBytes.map { BoundedBytes(media, most: $0) }
            let transfer = Transfer(
                origin: "ranges", total: media.bytes.count, bytesRead: media.bytesRead)
            return try await open(bounded ?? media.bytes, of: input, limits, track, transfer)
        case .whole(let response) where part == .playing && track == .main:
            return try await openArriving(response, for: input, limits)
        case .whole, .usual: return nil
        }
    }

    private func opener(
        _ limits: DecodingLimits, _ part: InputPart, _ track: MediaTrack
    ) -> (any RemoteOpening)? {
        let configuration = pipeline(limits).configuration
        guard part == .playing || track == .motion, configuration.remoteOpener != nil else {
            return configuration.remoteOpener
        }
        var formats = FormatRegistry.standard
        // Pictures too: their header tells where the film lies.
        if track == .motion { formats = formats.readingRanges(of: [.jpeg, .heic]) }
        return RangeOpener(
            loader: configuration.dataLoader, formats: formats, memory: 1 << 24,
            ahead: part == .glance ? 0 : 1 << 22)
    }

    // Without ranges a video plays while it loads; nil for other media.
    private func openArriving(
        _ response: LoadResponse, for input: Input, _ limits: DecodingLimits
    ) async throws(CommandFailure) -> OpenedInput? {
        if let most = settings.maximumBytes, response.head.expectedCount ?? 0 > most { return nil }
        let bar = ProgressBar(
            input.address.fileName, .bytes, total: response.head.expectedCount, isQuiet: isQuiet)
        defer { bar?.finish() }
        let total = response.head.expectedCount
        guard
            let bytes = StreamedBytes.begin(
                response, didArrive: { bar?.set(done: $0, total: total) })
        else { return nil }
        let type = await reading(bytes) { () throws(MediaError) in
            try MediaType.sniffing(bytes)
        }
        guard case .success(let type) = type, FormatRegistry.standard.readsRanges(type) else {
            return nil
        }
        let transfer = Transfer(
            origin: "network", total: bytes.count, bytesRead: { bytes.received })
        return try await open(bytes, of: input, limits, .main, transfer)
    }
}

extension ResponseHead {
    /// Whether the body may go on without an end.
    fileprivate var isUnending: Bool { status == 200 && expectedCount == nil }
}
