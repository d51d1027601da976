extension FrameSequence {
    /// The picture that represents the sequence.
    ///
    /// The first frame costs decoding one frame, a time or number decoding from the keyframe before it,
    /// `.auto` decoding some more small frames. A song has one picture, its cover, whatever the choice. Throws `.notFound`
    /// where there is no such picture, and what decoding throws.
    public func poster(
        _ choice: PosterChoice = .first, size: TargetSize? = nil
    ) async throws(MediaError) -> Poster {
        if info.isSong { return try await poster(embedded: size) }
        switch choice {
        case .first: return try await singleFrame(size)
        case .at(let time): return try await singleFrame(size, at: time)
        case .percent(let share): return try await poster(percent: share, size)
        case .index(let index): return try await poster(index: index, size)
        case .chapter(let number):
            return try await singleFrame(size, at: info.chapter(number).start)
        case .embedded: return try await poster(embedded: size)
        case .auto: return try await automaticPoster(size)
        case .within(let part):
            return try await PosterSearch(sequence: self, size: size, range: part).run()
        }
    }

    /// The best frame, or the cover of a file without one: some programs leave an empty track behind.
    private func automaticPoster(_ size: TargetSize?) async throws(MediaError) -> Poster {
        do throws(MediaError) {
            return try await PosterSearch(sequence: self, size: size).run()
        } catch {
            guard error.code == .truncated, let cover = try await embeddedPoster(size: size) else {
                throw error
            }
            return Poster(embedded: cover, warnings: [error.warning])
        }
    }

    private func poster(percent: Double, _ size: TargetSize?) async throws(MediaError) -> Poster {
        let length = try await playLength()
        return try await singleFrame(size, at: length * (min(max(percent, 0), 100) / 100))
    }

    private func poster(index: Int, _ size: TargetSize?) async throws(MediaError) -> Poster {
        guard index < 0 else { return try await poster(number: index, size) }
        let time = try await cancellable { (flag) throws(MediaError) in
            try media.time(ofLast: -index, flag)
        }
        if let time { return try await singleFrame(size, at: time) }
        let count = try await frameIndex().count
        guard count + index >= 0 else {
            throw MediaError(.notFound, "The sequence has only \(count) frames.")
        }
        do throws(MediaError) {
            return try await poster(number: count + index, size)
        } catch {
            guard error.code == .notFound, index >= -Self.maxKept else { throw error }
            return try await cancellable { (flag) throws(MediaError) in
                try lastFrame(size, number: -index, flag)
            }
        }
    }

    private func poster(number: Int, _ size: TargetSize?) async throws(MediaError) -> Poster {
        let (frame, warnings) = try await frameWithWarnings(number, size: size)
        return Poster(frame, warnings: warnings)
    }

    private func poster(embedded size: TargetSize?) async throws(MediaError) -> Poster {
        guard let bitmap = try await embeddedPoster(size: size) else {
            throw MediaError(.notFound, "The input has no embedded picture.")
        }
        return Poster(embedded: bitmap)
    }

    /// A poster of one frame from its own reader, configured for the least latency.
    func singleFrame(
        _ size: TargetSize?, at time: Duration? = nil
    ) async throws(MediaError) -> Poster {
        try await cancellable { (flag) throws(MediaError) in
            try singleFrame(size, at: time, flag)
        }
    }

    /// The same on this thread, which it blocks.
    func singleFrame(
        _ size: TargetSize?, at time: Duration?, _ flag: CancellationFlag
    ) throws(MediaError) -> Poster {
        var options = options(
            size: size.map(decodedSize), threads: BlockingPool.coreCount, cancellation: flag)
        options.isSingleFrame = true
        let reader = try makeReader(options)
        if let time { try reader.seek(toTime: time) }
        guard let frame = try reader.nextFrame() else {
            if time != nil { return try lastFrame(size, number: 1, flag) }
            throw MediaError(.notFound, "The input has no frame that can be shown.")
        }
        return Poster(frame, warnings: reader.warnings)
    }

    /// The most frames that are kept to find one of them counted from a damaged end.
    private static var maxKept: Int { 16 }

    /// The last frame that can be decoded, or one before it, where the end that the header announces is damaged.
    ///
    /// Decodes everything, on this thread.
    private func lastFrame(
        _ size: TargetSize?, number: Int, _ flag: CancellationFlag
    ) throws(MediaError) -> Poster {
        let options = options(
            size: size.map(decodedSize), threads: BlockingPool.coreCount, cancellation: flag)
        let reader = try makeReader(options)
        var last: [Frame] = []
        while let frame = try reader.nextFrame() {
            last.append(frame)
            if last.count > number { last.removeFirst() }
        }
        guard let frame = last.first, last.count == number else {
            throw MediaError(.notFound, "The input has no frame that can be shown.")
        }
        return Poster(frame, warnings: reader.warnings)
    }

    /// A poster that one reader finds, decoded on this thread, which it blocks; nil for other choices,
    /// but the cover of a song.
    package func poster(
        _ choice: PosterChoice, blocking flag: CancellationFlag
    ) throws(MediaError) -> Poster? {
        if info.isSong {
            return try media.embeddedPoster(options(size: nil, cancellation: flag))
                .map { Poster(embedded: $0) }
        }
        return switch choice {
        case .first: try singleFrame(nil, at: nil, flag)
        case .at(let time): try singleFrame(nil, at: time, flag)
        case .chapter(let number): try singleFrame(nil, at: info.chapter(number).start, flag)
        case .percent, .index, .embedded, .auto, .within: nil
        }
    }
}
